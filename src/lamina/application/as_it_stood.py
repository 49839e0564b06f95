"""What was drawn, as we knew it at another time: the columns of a store know the last of what happened."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.application.resources import Resources
from lamina.domain.as_of import AsOf
from lamina.domain.corroboration import Corroboration, last_confirmed
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


def records_then(unit: UnitOfWork, ids: Sequence[MemoryId], then: AsOf) -> dict[MemoryId, MemoryRecord]:
    """Records as we knew them."""
    entries = entries_by_record(unit.decisions.about_any(ids), ids)
    return {
        id_: then.of(record, state_at(id_, entries.get(id_, ()), then.known_at))
        for id_, record in unit.records.get(ids).items()
    }


def as_it_stood(resources: Resources, unit: UnitOfWork, drawn: Drawn, then: AsOf) -> Drawn:
    """What we held to be so: not what the log says was retired then and was brought back since; nor what was said for
    a record, or decided about it, later."""
    drawn = _standing(unit, drawn, then)
    ids = list(drawn.outlines.ids)
    records = records_then(unit, ids, then)
    said = unit.corroborations.of_any(ids) if resources.spec.persistence.corroborations else {}
    confirmed = [
        [one for one in said.get(id_, ()) if one.confirms and one.corroborated_at <= then.known_at] for id_ in ids
    ]
    return drawn._replace(
        outlines=drawn.outlines.having(
            disposed=[is_disposed(records[id_].state) for id_ in ids],
            confirmations=[len(some) for some in confirmed],
            confirmed_at=[_last(some) for some in confirmed],
        )
    )


def _standing(unit: UnitOfWork, drawn: Drawn, then: AsOf) -> Drawn:
    ids: list[MemoryId] = list(drawn.outlines.ids)
    entries = entries_by_record(unit.decisions.about_any(ids), ids)
    return drawn.only([place for place, id_ in enumerate(ids) if stood(id_, entries.get(id_, ()), then)])


def _last(confirmed: list[Corroboration]) -> int:
    """When, in microseconds since 1970."""
    at = last_confirmed(confirmed)
    return NEVER if at is None else (at - EPOCH) // MICROSECOND
