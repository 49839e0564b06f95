"""What would like to be in a prompt: what its tiers always show, and what recall finds (P12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from lamina.application.hit import Hit
from lamina.application.query import Query
from lamina.application.recall import recall
from lamina.application.resources import Resources
from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.ids import MemoryId
from lamina.domain.policies.injection import Presence
from lamina.domain.record import MemoryRecord
from lamina.domain.rendering import Source
from lamina.domain.scope import InteractionScope, PersistentScope, Scope, SessionScope
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.ports.unit_of_work import UnitOfWork

SHORT_LINE = 50
"""About how many tokens a short memory takes with its provenance: not many more are asked for than fit."""
MOST_RECALLED = 50
FIRST_PRESENT, MOST_PRESENT = 200, 12_800
"""How much of what a session holds is looked at first, and at the most, for what is always shown."""
MOST_DISPUTES = 1_000


@dataclass(frozen=True, slots=True)
class Offered:
    """A memory, how it is rendered, and why it is offered."""

    record: MemoryRecord
    source: Source
    why: str


def gathered(resources: Resources, scope: Scope, query: str, budget: int) -> list[Offered]:
    """What is offered, each tier's best first. What two tiers hold of one observation is offered once."""
    hits = _recalled(resources, scope, query, budget)
    shown = [one for one in _scopes(scope) if _is_always_shown(resources, one)]
    doubtful = _may_be_disputed(resources, hits)
    present: list[MemoryRecord] = []
    disputed: set[MemoryId] = set()
    if shown or doubtful:
        with resources.store.reading(scope.anchor) as unit:
            present = [record for one in shown for record in _present(unit, one)]
            disputed = _disputed(unit) if doubtful else disputed
    offered = [
        *(Offered(one, Source(one), f"always present in the {one.tier}") for one in present),
        *(_found(hit, disputed, resources.clock.now()) for hit in hits),
    ]
    return list(_once(offered))


def _recalled(resources: Resources, scope: Scope, query: str, budget: int) -> list[Hit]:
    """What answers, of the tiers that are shown on demand; of transient ones only what is of this scope."""
    hits: list[Hit] = []
    for one in _scopes(scope):
        policy = resources.spec.blocks.get(one.tier)
        if policy is None or one.tier not in resources.spec.retrieval.tiers:
            continue
        room = min(budget, policy.budget)
        if room and (policy.presence is Presence.ON_DEMAND or isinstance(one, PersistentScope)):
            # One more than fits, so that the manifest names what came next.
            asked = Query(query, min(MOST_RECALLED, room // SHORT_LINE + 1), selection=_within(one))
            hits += [hit for hit in recall(resources, scope.anchor, asked) if hit.record.scope == one]
    return hits


def _within(scope: Scope) -> Selection:
    """What a scope can hold. Each is asked for itself, as what others hold would take its place."""
    session_id = None if isinstance(scope, PersistentScope) else scope.session_id
    return Selection(tiers=frozenset({scope.tier}), session_id=session_id)


def _is_always_shown(resources: Resources, scope: Scope) -> bool:
    policy = resources.spec.blocks.get(scope.tier)
    return scope.tier.transient and policy is not None and policy.presence is Presence.ALWAYS


def _present(unit: UnitOfWork, scope: Scope) -> list[MemoryRecord]:
    """What a transient scope holds, what was observed last first. Others of its session may have observed more, later;
    what is told of last may have come to be first."""
    asked, found = FIRST_PRESENT, unit.candidates.newest(_within(scope), FIRST_PRESENT)
    while len(found) == asked < MOST_PRESENT:
        asked *= 2
        found = unit.candidates.newest(_within(scope), asked)
    held = unit.records.get(found).values()
    return sorted((record for record in held if record.scope == scope), key=_latest, reverse=True)


def _scopes(scope: Scope) -> Iterator[Scope]:
    """The scope, and those that it lies in."""
    yield scope
    if isinstance(scope, InteractionScope):
        yield SessionScope(scope.anchor, scope.session_id)
    if scope.tier is not Tier.PERSISTENT:
        yield PersistentScope(scope.anchor)


def _latest(record: MemoryRecord) -> tuple[int, MemoryId]:
    return (record.origin.position if record.origin else -1), record.id


def _may_be_disputed(resources: Resources, hits: Sequence[Hit]) -> bool:
    facts = any(hit.record.typology is not Typology.EPISODIC for hit in hits)
    return facts and resources.spec.persistence.contradictions


def _disputed(unit: UnitOfWork) -> set[MemoryId]:
    """What somebody contradicts, without an answer yet."""
    unsettled = (ContradictionStatus.OPEN, ContradictionStatus.SURFACED_TO_OPERATOR)
    found = [one for status in unsettled for one in unit.contradictions.with_status(status, MOST_DISPUTES)]
    return {side for one in found for side in one.sides}


def _found(hit: Hit, disputed: set[MemoryId], now: datetime) -> Offered:
    source = Source(hit.record, hit.confirmations, hit.decay, hit.record.id in disputed, hit.validity.is_over(now))
    return Offered(hit.record, source, f"recalled: {hit.explain()}")


def _once(offered: Iterable[Offered]) -> Iterator[Offered]:
    seen: set[object] = set()
    for one in offered:
        origin = one.record.origin
        key: object = (origin.session_id, origin.position, one.record.body) if origin else one.record.id
        if key not in seen:
            seen.add(key)
            yield one
