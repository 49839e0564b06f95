"""Random histories, run on one store or on several at once, beside a model that is nothing but dictionaries.

    class MyMachine(StoreMachine):
        def open_stores(self) -> list[Store]: ...

    TestMyStore = MyMachine.TestCase

With two stores, each answer is also compared between them: whoever passes cannot tell them apart.
"""

from __future__ import annotations

from array import array
from typing import Any

from hypothesis.stateful import invariant

from lamina.domain.anchor import Anchor
from lamina.domain.contradiction import Contradiction
from lamina.domain.corroboration import Corroboration
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import MemoryId
from lamina.domain.references import ActionLink
from lamina.ports.unit_of_work import UnitOfWork
from lamina.testing.machine.glancing import Glancing
from lamina.testing.machine.model import ANCHORS, EVERYWHERE, IDS, NAMES
from lamina.testing.samples import EMBEDDING, record, vector

Everything = tuple[Any, ...]
NAMED = frozenset(record(name).id for name in NAMES)
"""Those of which everything is known. The crowd is only looked at as a whole: it is many."""


class StoreMachine(Glancing):
    """Writes at random, asks at random, and sees after every step that all is there and nothing else."""

    @invariant()
    def everything_is_there(self) -> None:
        """All records with what is known of them, and none of another anchor; what is live can be found."""
        for whose in ANCHORS if hasattr(self, "stores") else ():
            mine = self.of(whose)
            known = [id_ for id_ in mine if id_ in NAMED]
            query = array("f", vector(1, 1))
            expected = (
                mine,
                {id_: self._heard(whose, id_) for id_ in known},
                {id_: self._doubted(whose, id_) for id_ in known},
                {id_: self._linked(whose, id_) for id_ in known},
                {id_: self._decided(whose, id_) for id_ in known},
                {id_: self.referred.get((whose, id_), set()) for id_ in known},
                set(self.cosines(whose, query, EVERYWHERE)),
            )
            for found in self.answers(whose, lambda unit, known=known: _everything(unit, known)):  # type: ignore[misc]
                assert found == expected

    def _heard(self, whose: Anchor, id_: MemoryId) -> list[Corroboration]:
        return sorted(self.spoken.get((whose, id_), []), key=lambda said: (said.corroborated_at, said.id))

    def _doubted(self, whose: Anchor, id_: MemoryId) -> list[Contradiction]:
        sides = [one for (of, _), one in self.doubts.items() if of == whose and id_ in (one.memory_id, one.against)]
        return sorted(sides, key=lambda one: (one.observed_at, one.id))

    def _decided(self, whose: Anchor, id_: MemoryId) -> list[DecisionEntry]:
        touching = [one for (of, _), one in self.decided.items() if of == whose and id_ in one.outcome.ids]
        return sorted(touching, key=lambda one: (one.at, one.id))

    def _linked(self, whose: Anchor, id_: MemoryId) -> set[ActionLink]:
        return {link for (of, _, linked), link in self.links.items() if of == whose and linked == id_}


def _everything(unit: UnitOfWork, ids: list[MemoryId]) -> Everything:
    query = vector(1, 1)
    return (
        unit.records.get(IDS),
        {id_: unit.corroborations.of(id_) for id_ in ids},
        {id_: unit.contradictions.of(id_) for id_ in ids},
        {id_: set(unit.action_links.of(id_)) for id_ in ids},
        {id_: unit.decisions.about(id_) for id_ in ids},
        {id_: unit.rule_references.of(id_) for id_ in ids},
        set(unit.candidates.nearest(query, EMBEDDING.model, EVERYWHERE, len(IDS))),
    )
