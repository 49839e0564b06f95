"""From override-pattern signals to a rule candidate: what is specific to one deployment is stripped, and what happened
to the same thing can still be told to have happened to the same thing.

The first host of a batch is <host-1> in every text of it, the second <host-2>. A pattern that says nothing without them
stays behind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from lamina.domain.discipline import Gate
from lamina.domain.personal_data import Found, apart
from lamina.domain.sanitization.identifiers import identifiers
from lamina.domain.sanitization.passage import Crossed, Effect, Passage
from lamina.domain.words import words

MEANINGFUL: Final = 3
"""With fewer words of its own, a pattern is about the deployment and nothing else."""
_PLACEHOLDER: Final = re.compile(r"<[a-z ]+-\d+>")
# fmt: off
_LITTLE: Final = frozenset({
    "a", "an", "and", "as", "at", "be", "by", "for", "from", "in", "is", "it", "of", "on", "or", "that", "the", "this",
    "to", "was", "were", "with",
})
# fmt: on


@dataclass
class Placeholders:
    """What each identifier of a batch is called: the same one the same, whoever wrote it in which case."""

    known: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, kind: str, identifier: str) -> str:
        """Its placeholder."""
        key = (kind, identifier.casefold())
        if key not in self.known:
            number = 1 + sum(1 for known, _ in self.known if known == kind)
            self.known[key] = f"<{kind}-{number}>"
        return self.known[key]


def stripped(text: str, found: Sequence[Found], placeholders: Placeholders) -> str:
    """The text with a placeholder for each identifier."""
    parts, at = [], 0
    for one in apart(found):
        parts += [text[at : one.start], placeholders.of(one.kind, text[one.start : one.end])]
        at = one.end
    return "".join([*parts, text[at:]])


def meaningless(text: str) -> str | None:
    """Why a stripped text says nothing, if it does not."""
    own = [word for word in words(_PLACEHOLDER.sub(" ", text)) if word not in _LITTLE]
    if len(own) >= MEANINGFUL:
        return None
    left = f"only {' '.join(own)!r}" if own else "nothing"
    return f"without what is specific to its deployment {left} is left of it"


@dataclass(frozen=True, slots=True)
class StripIdentifiers:
    """The gate. `names` are the deployment's own; `more` is what a detector of personal data found in each text."""

    names: tuple[str, ...] = ()
    more: tuple[Sequence[Found], ...] = ()
    name: str = Gate.STRIP_IDENTIFIERS

    def cross(self, passages: Sequence[Passage]) -> Crossed:
        """Each pattern without identifiers; one that is meaningless then stays behind."""
        placeholders = Placeholders()
        arrived, manifest = [], []
        for place, passage in enumerate(passages):
            more = self.more[place] if place < len(self.more) else ()
            found = apart([*identifiers(passage.text, self.names), *more])
            text = stripped(passage.text, found, placeholders)
            why = meaningless(text) if found else None
            if why is None:
                arrived.append(passage.saying(text))
            if found:
                kinds = ", ".join(sorted({one.kind for one in found}))
                what = why or f"{len(found)} identifiers stripped ({kinds})"
                manifest.append(Effect(self.name, passage.ref, what, stayed_behind=why is not None))
        return Crossed(tuple(arrived), tuple(manifest))
