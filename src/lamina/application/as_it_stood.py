"""What was drawn, as we knew it at another time: the columns of a store know the last of what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lamina.application.resources import Resources
from lamina.domain.as_of import AsOf
from lamina.domain.corroboration import Corroboration
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import MemoryId
from lamina.domain.instants import EPOCH
from lamina.domain.outline import NEVER
from lamina.domain.policies.decay import MICROSECOND
from lamina.domain.replay import stood
from lamina.domain.search import Drawn
from lamina.domain.state import is_disposed
from lamina.ports.unit_of_work import UnitOfWork


def as_it_stood(resources: Resources, unit: UnitOfWork, drawn: Drawn, then: AsOf) -> Drawn:
    """What we held to be so: not what the log says was retired then and was brought back since; nor what was said for
    a record, or decided about it, later."""
    entries = _by_record(unit.decisions.about_any(drawn.outlines.ids))
    kept = [place for place, id_ in enumerate(drawn.outlines.ids) if stood(id_, entries.get(id_, ()), then)]
    drawn = drawn.only(kept)
    ids = list(drawn.outlines.ids)
    records = unit.records.get(ids)
    said = unit.corroborations.of_any(ids) if resources.spec.persistence.corroborations else {}
    confirmed = [_confirmed(said.get(id_, ()), then) for id_ in ids]
    return drawn._replace(
        outlines=drawn.outlines.having(
            disposed=[is_disposed(then.of(records[id_]).state) for id_ in ids],
            confirmations=[len(times) for times in confirmed],
            confirmed_at=[max(times, default=NEVER) for times in confirmed],
        )
    )


def _by_record(entries: Iterable[DecisionEntry]) -> dict[MemoryId, list[DecisionEntry]]:
    found: dict[MemoryId, list[DecisionEntry]] = {}
    for entry in entries:
        for id_ in dict.fromkeys(entry.outcome.ids):
            found.setdefault(id_, []).append(entry)
    return found


def _confirmed(said: Sequence[Corroboration], then: AsOf) -> list[int]:
    """When it was confirmed until then, in microseconds since 1970."""
    times = [one.corroborated_at for one in said if one.confirms and one.corroborated_at <= then.known_at]
    return [(time - EPOCH) // MICROSECOND for time in times]
