"""The gateway: whatever is written goes through its gates, in order, and each refusal says which gate, why, and what
it compared with. Write policy, reference-only, echo, sanitization; then conflict, where a fact is settled.

What needs no store is asked first, for a whole batch and outside any transaction. What a session was shown is asked
inside the one that writes. Copies of rules the store itself refuses, and they are rare: so they are looked for only
where it has met one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.copying import copied, holds, refused_copy, refused_rule, shadows
from lamina.domain.discipline import Canonical, NonMirror, OnMatch
from lamina.domain.echo import Shown
from lamina.domain.errors import ContainsRule, ShadowsRule
from lamina.domain.ids import SessionId
from lamina.domain.personal_data import Found, kinds_of, redacted, refused_personal_data
from lamina.domain.policies.write import Attempt
from lamina.domain.record import MemoryRecord
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal
from lamina.domain.scope import PersistentScope, Scope
from lamina.domain.typology import Cell
from lamina.ports.canonical_source import CanonicalSource
from lamina.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Passed:
    """What the gates did to a text on its way in, in words; nothing as a rule."""

    redacted: str | None = None
    """The text as it may be written, if not as it was given."""
    effects: tuple[str, ...] = ()

    def of(self, record: MemoryRecord) -> MemoryRecord:
        """The record as it may be written."""
        return record if self.redacted is None else replace(record, body=self.redacted)

    def told(self, reason: str) -> str:
        """A reason, and what was changed on the way in."""
        return "; ".join([reason, *self.effects]) if self.effects else reason


Verdict = Passed | Refusal
Texts = tuple[str, ...]
"""What is said at once; of a record, its body comes first."""
Near = tuple[RuleRef, float]
AS_IT_IS: Final = Passed()


class Gateway:
    """The gates of one anchor, for one verb."""

    def __init__(self, resources: Resources, anchor: Anchor, verb: str) -> None:
        self._resources = resources
        self._anchor = anchor
        self._verb = verb
        self._list = resources.spec.reference_only

    def admit(self, records: Sequence[MemoryRecord], attempts: Iterable[Attempt]) -> list[Verdict]:
        """What write policy and the reference-only gate say to each record of one cell; no store is asked."""
        verdicts = self._by_policy(records, attempts)
        texts = [_texts(record) for record in records]
        self._not_copied(texts, verdicts)
        self._without_personal_data(texts, verdicts)
        self.surface([one for one in verdicts if isinstance(one, Refusal) and one.rule in set(Canonical)])
        return verdicts

    def words(self, text: str) -> Refusal | None:
        """What the reference-only gate says to words that are kept beside a record, such as a reason. They are never
        redacted: whoever gives them can say it otherwise. A copy of a rule is looked for by `copies`."""
        verdicts: list[Verdict] = [AS_IT_IS]
        self._not_copied([(text,)], verdicts)
        entry = self._list.entry(Canonical.PERSONAL_DATA)
        found = self._personal_data([(text,)], verdicts).get(0)
        if entry and found:
            verdicts = [refused_personal_data(entry, found[1])]
        refusal = verdicts[0] if isinstance(verdicts[0], Refusal) else None
        self.surface([refusal] if refusal else [])
        return refusal

    def _by_policy(self, records: Sequence[MemoryRecord], attempts: Iterable[Attempt]) -> list[Verdict]:
        if not records:
            return []
        policy = self._resources.spec.resolve(records[0].cell)
        if not policy.produced:
            return [self._not_kept(policy.cell)] * len(records)
        return [policy.write.admit(attempt) or AS_IT_IS for attempt in attempts]

    def _not_kept(self, cell: Cell) -> Refusal:
        """The schema has every cell (D4); which of them an agent fills is its spec's word, and this keeps it."""
        spec = self._resources.spec
        held = ", ".join(spec.typology.get(cell.tier, ())) or "nothing"
        return Refusal("typology", f"the {cell.tier} tier of {spec.name} holds {held}, not {cell.typology} memory")

    def _not_copied(self, texts: Sequence[Texts], verdicts: list[Verdict]) -> None:
        """Refuses what copies a canonical text; each source is asked for all of them at once."""
        for source in self._resources.sources:
            entry = self._list.entry(source.category)
            if entry:
                self._not_copied_from(source, entry, texts, verdicts)

    def _not_copied_from(
        self, source: CanonicalSource, entry: NonMirror, texts: Sequence[Texts], verdicts: list[Verdict]
    ) -> None:
        asked = [(place, text) for place in _passing(verdicts) for text in texts[place]]
        near = source.near(self._anchor, [text for _, text in asked]) if asked else []
        for (place, text), candidates in zip(asked, near, strict=True):
            for one in candidates:
                how = copied(text, one.text)
                if how:
                    verdicts[place] = refused_copy(entry, one.ref, how)

    def _without_personal_data(self, texts: Sequence[Texts], verdicts: list[Verdict]) -> None:
        """Refuses or redacts it, as the spec says. What stands beside a text is too short to be redacted."""
        entry = self._list.entry(Canonical.PERSONAL_DATA)
        if entry is None:
            return
        for place, (in_text, in_all) in self._personal_data(texts, verdicts).items():
            text = redacted(texts[place][0], in_text)
            if entry.on_match is OnMatch.REFUSE or len(in_all) > len(in_text) or not self._fits(text):
                verdicts[place] = refused_personal_data(entry, in_all)
            else:
                verdicts[place] = Passed(text, (f"{kinds_of(in_text)} redacted",))

    def _personal_data(
        self, texts: Sequence[Texts], verdicts: Sequence[Verdict]
    ) -> dict[int, tuple[Sequence[Found], list[Found]]]:
        detector = self._resources.personal_data
        if detector is None:
            return {}
        passing = _passing(verdicts)
        found = iter(detector.find([text for place in passing for text in texts[place]]))
        by_place = {place: [next(found) for _ in texts[place]] for place in passing}
        return {place: (all_[0], [one for few in all_ for one in few]) for place, all_ in by_place.items() if any(all_)}

    def _fits(self, text: str) -> bool:
        return len(text) <= self._resources.spec.persistence.body_bound

    def echo(self, unit: UnitOfWork, scope: Scope, text: str) -> Refusal | None:
        """What the echo gate says to one text."""
        session_id = None if isinstance(scope, PersistentScope) else scope.session_id
        return self.shown(unit, session_id).echoed_by(text)

    def shown(self, unit: UnitOfWork, session_id: SessionId | None) -> Shown:
        """What a session was shown, in the transaction that writes: the echo gate compares with it."""
        injected = unit.injections.of(session_id) if session_id else []
        there = unit.records.get(dict.fromkeys(one.memory_id for one in injected)) if injected else {}
        return Shown.of({id_: record.body for id_, record in there.items()})

    def copies(self, unit: UnitOfWork, texts: Sequence[str]) -> list[Refusal | None]:
        """The reference-only gate's refusal of each text that copies a rule, as the store would refuse it."""
        entry = self._list.entry(Canonical.RULE_CONTENT)
        both = zip(unit.rules.copied_by(texts), unit.rules.held_by(texts), strict=True)
        return [_rule_refusal(entry, shadowed, held) for shadowed, held in both]

    def surface(self, refusals: Sequence[Refusal]) -> None:
        """Makes refused copies known to whoever watches."""
        if refusals and self._resources.surface:
            self._resources.surface.refused(self._verb, self._anchor, refusals)


def _passing(verdicts: Sequence[Verdict]) -> list[int]:
    return [place for place, verdict in enumerate(verdicts) if isinstance(verdict, Passed)]


def _texts(record: MemoryRecord) -> Texts:
    """What a record says: its body first, then what stands beside it."""
    claim = record.claim
    claimed = (claim.subject, claim.aspect, claim.value) if claim else ()
    return (record.body, *record.tags.values(), *claimed) if claim or record.tags else (record.body,)


def _rule_refusal(entry: NonMirror | None, shadowed: Near | None, held: Near | None) -> Refusal | None:
    if shadowed:
        return refused_rule(entry, ShadowsRule.guard, shadows(*shadowed))
    return refused_rule(entry, ContainsRule.guard, holds(*held)) if held else None


def unguarded(resources: Resources) -> tuple[Canonical, ...]:
    """Those of the spec's categories that nothing compares a text with."""
    guarded = {source.category for source in resources.sources}
    if resources.personal_data:
        guarded.add(Canonical.PERSONAL_DATA)
    if resources.spec.persistence.canonical:
        guarded.add(Canonical.RULE_CONTENT)
    return tuple(one.category for one in resources.spec.reference_only.non_mirror if one.category not in guarded)
