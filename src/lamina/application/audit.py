"""Auditing: a whole memory is gone through, and everything that somebody should look at is told. It only reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.auditing import Concern, Doubt, Exhibit, Promise, Standpoint, doubts
from lamina.domain.echo import Shown
from lamina.domain.ids import MemoryId
from lamina.domain.provenance_row import entries_by_record
from lamina.domain.record import MemoryRecord
from lamina.domain.retention import RetentionState, retention_state
from lamina.domain.selection import Selection
from lamina.domain.state import leads_to
from lamina.domain.substance import change_between, substance
from lamina.domain.tier import Tier
from lamina.domain.timeline import overlap
from lamina.domain.typology import Cell, Typology
from lamina.domain.upkeep import Reviewed
from lamina.ports.unit_of_work import UnitOfWork

PAGE: Final = 1_000
EXAMPLES: Final = 20
ALIKE: Final = 0.95
"""From this similarity on, two facts or two preferences read alike."""


@dataclass(slots=True)
class Audit:
    """What was found: counts of everything, and the first examples of each."""

    anchors: int = 0
    records: int = 0
    cells: Counter[Cell] = field(default_factory=Counter)
    retention: Counter[RetentionState] = field(default_factory=Counter)
    counts: Counter[Concern | Promise] = field(default_factory=Counter)
    examples: list[tuple[Anchor, Doubt]] = field(default_factory=list)

    def note(self, anchor: Anchor, doubt: Doubt) -> None:
        """One more."""
        if self.counts[doubt.about] < EXAMPLES:
            self.examples.append((anchor, doubt))
        self.counts[doubt.about] += 1

    @property
    def broken(self) -> list[Promise]:
        """The promises that do not hold: there should be none."""
        return [promise for promise in Promise if self.counts[promise]]


def audit(resources: Resources, anchors: Iterator[Anchor]) -> Audit:
    """Goes through the persistent memory of these anchors."""
    report = Audit()
    for anchor in anchors:
        _Auditing(resources, anchor, report).run()
        report.anchors += 1
    return report


class _Auditing:
    """One anchor's memory, page by page, each in a unit of its own."""

    def __init__(self, resources: Resources, anchor: Anchor, report: Audit) -> None:
        self._resources = resources
        self._anchor = anchor
        self._report = report
        self._decays = resources.spec.retention().decays
        self._said: dict[tuple[Cell, int], MemoryId] = {}
        """What was said already: a number for a text, so that it stays small."""

    def run(self) -> None:
        """Looks at every record once."""
        after: MemoryId | None = None
        while True:
            with self._resources.store.reading(self._anchor) as unit:
                page = unit.reviews.page(after, PAGE)
                self._page(unit, page)
            if not page:
                return
            after = page[-1].record.id

    def _page(self, unit: UnitOfWork, page: Sequence[Reviewed]) -> None:
        against = Standpoint(
            unit.rules.versions({ref.rule_id for one in page for ref in one.references}),
            self._decays,
            self._resources.clock.now(),
        )
        for one in _exhibits(self._resources, unit, page):
            record = one.record
            self._report.records += 1
            self._report.cells[record.cell] += 1
            self._report.retention[retention_state(record.state, one.reviewed.pointing)] += 1
            for doubt in doubts(one, against):
                self._report.note(self._anchor, doubt)
            if record.live:
                self._beside_others(unit, record)
                self._echoes(unit, record)

    def _echoes(self, unit: UnitOfWork, record: MemoryRecord) -> None:
        """What a session was shown and wrote down again, past the gate that should have refused it."""
        if record.origin is None:
            return
        shown = unit.injections.of(record.origin.session_id)
        before = {one.memory_id for one in shown if one.at <= record.validity.valid_at}
        there = unit.records.get(before - {record.id}) if before else {}
        refusal = Shown.of({id_: one.body for id_, one in there.items()}).echoed_by(record.body)
        if refusal:
            self._report.note(self._anchor, Doubt(Concern.ECHO, record.id, refusal.reason))

    def _beside_others(self, unit: UnitOfWork, record: MemoryRecord) -> None:
        words = self._twin(record) or self._alike(unit, record)
        if words:
            self._report.note(self._anchor, Doubt(Concern.DUPLICATE, record.id, words))
        line = unit.records.with_claim(record.typology, record.claim.key) if record.claim else []
        met = overlap(line)
        if met and record.id == met[1].id:
            clash = f"{met[0].id} claims the same matter at the same time"
            self._report.note(self._anchor, Doubt(Promise.ONE_CLAIM, record.id, clash))

    def _twin(self, record: MemoryRecord) -> str | None:
        first = self._said.setdefault((record.cell, hash(substance(record.body))), record.id)
        return None if first == record.id else f"{first} says the same"

    def _alike(self, unit: UnitOfWork, record: MemoryRecord) -> str | None:
        """Episodes that read alike are two episodes; facts and preferences that do are worth a look."""
        if record.typology is Typology.EPISODIC or record.claim:
            return None
        vector = unit.candidates.vectors([record.id]).get(record.id)
        if vector is None:
            return None
        alike = Selection(tiers=frozenset({Tier.PERSISTENT}), typologies=frozenset({record.typology}))
        near = unit.candidates.nearest(vector, self._resources.embedder.model, alike, 2)
        others = unit.records.get([id_ for id_, score in near.items() if id_ != record.id and score >= ALIKE])
        # Of two that read alike, the later one is told.
        earlier = next((one for one in others.values() if one.id < record.id), None)
        return f"{earlier.id} reads like it, but {change_between(earlier.body, record.body)}" if earlier else None


def _exhibits(resources: Resources, unit: UnitOfWork, page: Sequence[Reviewed]) -> Iterator[Exhibit]:
    records = [one.record for one in page]
    ids = [record.id for record in records]
    decisions = entries_by_record(unit.decisions.about_any(ids), ids)
    leading = {record.id: leads_to(record.state) for record in records}
    following = unit.records.get({id_ for id_ in leading.values() if id_})
    lexemes = resources.lexer.lexemes([record.body for record in records])
    for one, words in zip(page, lexemes, strict=True):
        into = leading[one.record.id]
        yield Exhibit(one, decisions.get(one.record.id, ()), following.get(into) if into else None, words)
