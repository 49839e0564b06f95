"""What maintenance does with one live persistent record (P6, P7, P9). It looks at everything, and decides one thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from lamina.domain.canon import Canon, replaced, surviving
from lamina.domain.cell_policy import CellPolicy
from lamina.domain.corroboration import Corroboration, failures_in_a_row, independent
from lamina.domain.defaults import Rise
from lamina.domain.ids import MemoryId
from lamina.domain.instants import elapsed
from lamina.domain.policies.lifecycle import Circumstances, Fate, Review
from lamina.domain.policies.promotion import Case, Granted, Verdict
from lamina.domain.record import MemoryRecord, Reach
from lamina.domain.references import RuleRef
from lamina.domain.scope_cleanup import Pointer, Standing, pointing
from lamina.domain.state import is_disposed


class Duty(StrEnum):
    """What is to be done."""

    KEEP = "keep"
    ARCHIVE = "archive"
    INVALIDATE = "invalidate"
    """What an action rests on is not archived from beneath it; but it is no longer so."""
    EXEMPT = "exempt"
    RISE = "rise"
    """An episode becomes a fact."""
    WIDEN = "widen"
    """A fact becomes meta-semantic."""
    DISPUTE = "dispute"
    """Some of the rules that it refers to say something else by now: somebody is to look."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A record, and all that maintenance looks at."""

    record: MemoryRecord
    corroborations: tuple[Corroboration, ...] = ()
    references: frozenset[RuleRef] = frozenset()
    pointers: frozenset[Pointer] = frozenset()
    followed_from: frozenset[MemoryId] = frozenset()

    @property
    def pointing(self) -> int:
        """How many kinds of things need what it says."""
        return pointing(self.pointers, self.followed_from)

    @property
    def pinned(self) -> bool:
        """Whether an action rests on it."""
        return Pointer.ACTION in self.pointers


def reviewed(
    records: Iterable[MemoryRecord],
    corroborations: Mapping[MemoryId, Sequence[Corroboration]],
    references: Mapping[MemoryId, frozenset[RuleRef]],
    standings: Iterable[Standing],
) -> list[Reviewed]:
    """Records with what a store has found of each."""
    stands = {one.id: one for one in standings}
    return [
        Reviewed(
            record,
            tuple(corroborations.get(record.id, ())),
            references.get(record.id, frozenset()),
            stands[record.id].pointers,
            stands[record.id].followed_from,
        )
        for record in records
    ]


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What is to be done with a record, and why."""

    duty: Duty
    reason: str
    reach: Reach = Reach.ANCHOR
    """How far a fact holds from now on, where it is widened."""
    against: tuple[RuleRef, ...] = ()
    """The rules that it is disputed by, in the versions that say something else."""


def upkeep(one: Reviewed, policy: CellPolicy, as_fact: Verdict, canon: Canon, now: datetime) -> Upkeep:
    """One decision. `as_fact` is what the promotion criteria say to what speaks for it."""
    moved = replaced(one.references, canon)
    review = policy.lifecycle.review(_circumstances(one, canon, now))
    if review.fate is Fate.DISPOSE:
        return _disposed(one, policy, as_fact, review)
    if review.fate is Fate.ARCHIVE:
        return Upkeep(Duty.INVALIDATE if one.pinned else Duty.ARCHIVE, review.reason)
    if moved:
        named = ", ".join(sorted(f"{ref.rule_id} {ref.version}" for ref in moved))
        return Upkeep(Duty.DISPUTE, f"it refers to {named}, which says something else by now", against=_in_order(moved))
    return _widened(one, policy, canon) or Upkeep(Duty.KEEP, review.reason)


def _circumstances(one: Reviewed, canon: Canon, now: datetime) -> Circumstances:
    # A source has changed if nothing that the record rests on is as it was. Where something is, somebody is to look.
    gone = bool(replaced(one.references, canon)) and not surviving(one.references, canon)
    return Circumstances(
        age=elapsed(one.record.recorded_at, now),
        disposed=is_disposed(one.record.state),
        action_linked=one.pinned,
        failures_in_a_row=failures_in_a_row(one.corroborations),
        canonical_source_changed=gone,
    )


def _disposed(one: Reviewed, policy: CellPolicy, as_fact: Verdict, review: Review) -> Upkeep:
    """Its time is up: promoted if enough speaks for it, kept if an action rests on it, archived otherwise."""
    rises = policy.promotion is not None and policy.promotion.rise is Rise.EPISODIC_TO_SEMANTIC
    if rises and isinstance(as_fact, Granted):
        return Upkeep(Duty.RISE, f"{review.reason}; {as_fact.reason}")
    if one.pinned:
        return Upkeep(Duty.EXEMPT, f"{review.reason}; an action was justified by it")
    return Upkeep(Duty.ARCHIVE, f"{review.reason}; {as_fact.reason}" if rises else review.reason)


def _widened(one: Reviewed, policy: CellPolicy, canon: Canon) -> Upkeep | None:
    path = policy.promotion
    if path is None or path.rise is not Rise.SEMANTIC_TO_META or one.record.reach is not Reach.ANCHOR:
        return None
    verdict = path.rule.judge(meta_case(one, canon))
    return Upkeep(Duty.WIDEN, verdict.reason, reach_of(one)) if isinstance(verdict, Granted) else None


def meta_case(one: Reviewed, canon: Canon) -> Case:
    """What speaks for a fact's holding beyond its version and its anchor."""
    record, confirming = one.record, [said for said in one.corroborations if said.confirms]
    known_since = record.granted_at or record.recorded_at
    again = [said for said in confirming if said.corroborated_at > known_since]
    versions = {record.world_version, *(said.world_version for said in confirming)}
    return Case(
        corroborations=one.corroborations,
        versions=frozenset(version for version in versions if version is not None),
        surviving_refs=surviving(one.references, canon),
        recurrences=independent(again),
    )


def reach_of(one: Reviewed) -> Reach:
    """How far it holds: across anchors if it was confirmed in another, else across versions."""
    home = one.record.scope.anchor.id
    elsewhere = any(said.confirms and said.found_in not in (None, home) for said in one.corroborations)
    return Reach.CROSS_ANCHOR if elsewhere else Reach.CROSS_VERSION


def _in_order(moved: dict[RuleRef, RuleRef]) -> tuple[RuleRef, ...]:
    return tuple(sorted(set(moved.values()), key=lambda ref: (ref.rule_id, ref.version)))
