"""The echo guard: what was put into a session's prompts cannot come back as an observation of that session.

An agent repeats what it was shown; written down again, one voice would look like two. Thinking aloud about what was
shown is no echo, and neither is the same sentence with another value in it: both say something more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from lamina.domain.ids import MemoryId
from lamina.domain.refusal import Refusal
from lamina.domain.rendering import quotations
from lamina.domain.substance import substance
from lamina.domain.words import PHRASE, words

MOSTLY: Final = 0.8
"""A text of which this share of words was shown to the session, in their order, says nothing of its own."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The bodies that a session was shown, as a new text is compared with them."""

    whole: Mapping[tuple[str, ...], MemoryId] = field(default_factory=dict)
    by_phrase: Mapping[tuple[str, ...], MemoryId] = field(default_factory=dict)

    @classmethod
    def of(cls, bodies: Mapping[MemoryId, str]) -> Shown:
        """What was shown, by id."""
        whole, by_phrase = {}, {}
        for id_, body in bodies.items():
            said = words(body)
            whole[substance(body)] = whole[tuple(said)] = id_
            by_phrase.update(dict.fromkeys(_runs(said), id_))
        return cls(whole, by_phrase)

    def echoed_by(self, text: str) -> Refusal | None:
        """The refusal of a text that repeats what was shown, also line by line, with its provenance."""
        if not self.whole:
            return None
        echoes = [self._echo(said) for said in quotations(text)]
        return echoes[0] if all(echoes) else None

    def _echo(self, text: str) -> Refusal | None:
        said = words(text)
        same = self.whole.get(substance(text)) or self.whole.get(tuple(said))
        if same:
            return _refused(f"it repeats {same}")
        sources = self._sources(said)
        known = [source for source in sources if source]
        if not known or len(known) < MOSTLY * len(said) or _is_changed_inside(sources):
            return None
        return _refused(f"{len(known) / len(said):.0%} of its words are those of {max(known, key=known.count)}")

    def _sources(self, said: Sequence[str]) -> list[MemoryId | None]:
        """For each word, the memory that it is quoted from."""
        sources: list[MemoryId | None] = [None] * len(said)
        for start, run in enumerate(_runs(said)):
            source = self.by_phrase.get(run)
            if source:
                sources[start : start + PHRASE] = [source] * PHRASE
        return sources


def _runs(said: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(said[start : start + PHRASE]) for start in range(len(said) - PHRASE + 1)]


def _is_changed_inside(sources: Sequence[MemoryId | None]) -> bool:
    """Whether words of its own stand where one memory was quoted before and goes on behind them."""
    quoted = [place for place, source in enumerate(sources) if source]
    gaps = [(before, after) for before, after in pairwise(quoted) if after - before > 1]
    return any(sources[before] == sources[after] for before, after in gaps)


def _refused(what: str) -> Refusal:
    return Refusal("echo", f"{what}, which this session was shown: corroborate it if somebody else said so")
