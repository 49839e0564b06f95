"""Another agent's memory as a canonical source: it is asked, never copied (P13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor, AnchorValue
from lamina.domain.copying import CanonicalText
from lamina.domain.discipline import Canonical
from lamina.domain.selection import Selection

LOOKED_AT: Final = 5
"""How many of the memories with the most words in common are compared."""

Counterpart = Callable[[Mapping[str, str]], Mapping[str, AnchorValue] | None]
"""From the keys of an anchor to those of the other agent's anchor that it could have seen; None if there is none."""


class OtherMemory:
    """What another agent remembers, retired or not, at the anchor that goes with this agent's."""

    category: Final = Canonical.OTHER_AGENT_MEMORY

    def __init__(self, resources: Resources, counterpart: Counterpart) -> None:
        self._resources = resources
        self._counterpart = counterpart

    def near(self, anchor: Anchor, texts: Sequence[str]) -> list[Sequence[CanonicalText]]:
        """For each text the memories that have most words in common with it."""
        keys = self._counterpart(dict(anchor.parts))
        if keys is None:
            return [()] * len(texts)
        whose = self._resources.spec.persistent_anchor.bind(keys)
        every = Selection(include_retired=True)
        with self._resources.store.reading(whose) as unit:
            found = [
                unit.candidates.matching(lexemes, every, LOOKED_AT) for lexemes in self._resources.lexer.lexemes(texts)
            ]
            records = unit.records.get({id_ for ids in found for id_ in ids})
        agent = self._resources.spec.name
        known = {id_: CanonicalText(f"memory {id_} of {agent}", record.body) for id_, record in records.items()}
        return [[known[id_] for id_ in ids if id_ in known] for ids in found]


if TYPE_CHECKING:
    from lamina.ports.canonical_source import CanonicalSource

    _: type[CanonicalSource] = OtherMemory
