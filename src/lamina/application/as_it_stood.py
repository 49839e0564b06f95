"""What was drawn, as we knew it at another time: the columns of a store know the last of what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lamina.application.resources import Resources
from lamina.domain.as_of import AsOf
from lamina.domain.corroboration import Corroboration, last_confirmed
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.outline import NEVER
from lamina.domain.policies.decay import MICROSECOND
from lamina.domain.provenance_row import entries_by_record
from lamina.domain.record import MemoryRecord
from lamina.domain.replay import state_at, stood
from lamina.domain.search import Drawn
from lamina.domain.state import is_disposed
from lamina.ports.unit_of_work import UnitOfWork

Told = Mapping[MemoryId, Sequence[DecisionEntry]]
"""What the log says of each record."""


def records_then(unit: UnitOfWork, ids: Sequence[MemoryId], then: AsOf) -> dict[MemoryId, MemoryRecord]:
    """Records as we knew them."""
    return _known(unit, ids, _told(unit, ids), then)


def as_it_stood(resources: Resources, unit: UnitOfWork, drawn: Drawn, then: AsOf) -> Drawn:
    """What we held to be so: not what the log says was retired then and was brought back since; nor what was said for
    a record, or decided about it, later."""
    found = list(drawn.outlines.ids)
    told = _told(unit, found)
    standing = [place for place, id_ in enumerate(found) if stood(id_, told.get(id_, ()), then)]
    ids = [found[place] for place in standing]
    records = _known(unit, ids, told, then)
    said = unit.corroborations.of_any(ids) if resources.spec.persistence.corroborations else {}
    confirmed = [
        [one for one in said.get(id_, ()) if one.confirms and one.corroborated_at <= then.known_at] for id_ in ids
    ]
    drawn = drawn.only(standing)
    return drawn._replace(
        outlines=drawn.outlines.having(
            disposed=[is_disposed(records[id_].state) for id_ in ids],
            confirmations=[len(some) for some in confirmed],
            confirmed_at=[_last(some) for some in confirmed],
        )
    )


def _told(unit: UnitOfWork, ids: Sequence[MemoryId]) -> Told:
    return entries_by_record(unit.decisions.about_any(ids), ids)


def _known(unit: UnitOfWork, ids: Sequence[MemoryId], told: Told, then: AsOf) -> dict[MemoryId, MemoryRecord]:
    return {
        id_: then.of(record, state_at(id_, told.get(id_, ()), then.known_at))
        for id_, record in unit.records.get(ids).items()
    }


def _last(confirmed: list[Corroboration]) -> int:
    """When, in microseconds since 1970."""
    at = last_confirmed(confirmed)
    return NEVER if at is None else (at - EPOCH) // MICROSECOND
