"""What moves up when a scope ends: worked out before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lamina.application.copying import copy_of
from lamina.application.resources import Resources
from lamina.domain.compounding import Likeness, compound
from lamina.domain.defaults import Rise
from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.scope import InteractionScope, PersistentScope, Scope, SessionScope
from lamina.domain.selection import Selection
from lamina.domain.state import Active, Exempted
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology
from lamina.ports.records import Entry
from lamina.ports.unit_of_work import UnitOfWork

ALIKE = 3
"""How many of the nearest texts above a record is compared with."""


@dataclass(frozen=True, slots=True)
class Rising:
    """The records of a scope, the copies of those that move up, and which others are there already."""

    records: Mapping[MemoryId, MemoryRecord]
    copies: Sequence[tuple[MemoryRecord, Entry]] = ()
    same: Mapping[MemoryId, MemoryId] = field(default_factory=dict)
    shadows: frozenset[MemoryId] = frozenset()
    """Those that do not move up because a rule says by now what they say."""


@dataclass(frozen=True, slots=True)
class _Seen:
    records: Mapping[MemoryId, MemoryRecord]
    vectors: Mapping[MemoryId, bytes]
    above: Mapping[MemoryId, Sequence[Likeness]]
    shadows: frozenset[MemoryId]


def risen(resources: Resources, scope: InteractionScope | SessionScope) -> Rising:
    """What the promotion rule of the scope's episodes lets through, compounded."""
    target = _target(resources, scope)
    with resources.store.reading(scope.anchor) as unit:
        seen = _look(resources, unit, scope, target)
    if target is None:
        return Rising(seen.records)
    path = resources.spec.resolve(_cell(scope)).promotion
    assert path is not None  # noqa: S101 (there is a target)
    staying = [
        one for one in seen.records.values() if one.cell == _cell(scope) and isinstance(one.state, Active | Exempted)
    ]
    found = compound(staying, seen.vectors, seen.above, path.rule, resources.spec.resolve(_cell(scope)).consolidation)
    rising = [record for record in found.rising if record.id not in seen.shadows]
    return Rising(seen.records, _copies(resources, rising, seen.vectors, target), found.same, seen.shadows)


def _cell(scope: InteractionScope | SessionScope) -> Cell:
    return Cell(scope.tier, Typology.EPISODIC)


def _target(resources: Resources, scope: InteractionScope | SessionScope) -> Scope | None:
    """Where its episodes move up to, if this agent keeps any there."""
    path = resources.spec.resolve(_cell(scope)).promotion
    if path is None or path.rise is not Rise.EPISODIC_TRANSIENT_TO_PERSISTENT:
        return None
    if path.target.tier is Tier.SESSION:
        return SessionScope(scope.anchor, scope.session_id)
    return PersistentScope(scope.anchor)


def _look(
    resources: Resources, unit: UnitOfWork, scope: InteractionScope | SessionScope, target: Scope | None
) -> _Seen:
    records = unit.records.get(one.id for one in unit.scope_cleanup.contents(scope))
    vectors = unit.candidates.vectors(records)
    above = {id_: _alike(resources, unit, vector, target) for id_, vector in vectors.items()} if target else {}
    return _Seen(records, vectors, above, _shadows(unit, records) if target else frozenset())


def _shadows(unit: UnitOfWork, records: Mapping[MemoryId, MemoryRecord]) -> frozenset[MemoryId]:
    """Those that no store would take again: what was observed has become a rule since."""
    copied = unit.rules.copied_by([record.body for record in records.values()])
    return frozenset(id_ for id_, rule in zip(records, copied, strict=True) if rule)


def _alike(resources: Resources, unit: UnitOfWork, vector: bytes, target: Scope) -> list[Likeness]:
    # Selected, not filtered afterwards: what other sessions hold would take the places of what is here.
    session_id = None if isinstance(target, PersistentScope) else target.session_id
    selection = Selection(
        tiers=frozenset({target.tier}), typologies=frozenset({Typology.EPISODIC}), session_id=session_id
    )
    near = unit.candidates.nearest(vector, resources.embedder.model, selection, ALIKE)
    return [Likeness(one, near[one.id]) for one in unit.records.get(near).values() if one.scope == target]


def _copies(
    resources: Resources, records: Sequence[MemoryRecord], vectors: Mapping[MemoryId, bytes], target: Scope
) -> list[tuple[MemoryRecord, Entry]]:
    lexemes = resources.lexer.lexemes([record.body for record in records])
    return [
        (record, copy_of(resources, record, vectors.get(record.id), words, scope=target))
        for record, words in zip(records, lexemes, strict=True)
    ]
