"""Short-term memory in DuckDB."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from lamina.adapters.duckdb.persona_transaction import PersonaTransaction
from lamina.adapters.duckdb.statements import instants
from lamina.domain.derivation import DerivationStatus, Remainder
from lamina.domain.derived_row import SUMMARY_COLUMNS, remainders, summary_from, summary_row
from lamina.domain.event import LoopId
from lamina.domain.loop_summary import LoopSummary
from lamina.ports.short_term import Stamp, Window

_PLAIN = ", ".join(name for name in SUMMARY_COLUMNS if name != "last_ts")


class DuckDBShortTerm:
    """The summaries of one persona of one anchor, in one transaction."""

    def __init__(self, transaction: PersonaTransaction) -> None:
        self._statements = transaction.statements
        self._anchor_id = transaction.anchor.id
        self._summaries = transaction.tables.short_term
        self._events = transaction.tables.events

    def claim(self, after: int, limit: int) -> list[LoopId]:
        """The next loops whose summary is not derived, or does not cover their last event."""
        rows = self._statements.rows(
            f"SELECT e.loop_id FROM (SELECT loop_id, max(position) AS last FROM {self._events}"
            f" WHERE anchor_id = ? AND position > ? GROUP BY loop_id) e"
            f" ANTI JOIN (SELECT loop_id, last_position FROM {self._summaries}"
            f" WHERE anchor_id = ? AND status = 'derived') s"
            f" ON s.loop_id = e.loop_id AND s.last_position >= e.last ORDER BY e.last LIMIT ?",
            [self._anchor_id, after, self._anchor_id, limit],
        )
        return [row["loop_id"] for row in rows]

    def put(self, summaries: Sequence[LoopSummary]) -> None:
        """Writes summaries, all or none; one that covers less than what is there, or is less done, is not taken."""
        known = self.get(one.loop_id for one in summaries)
        new = [one for one in summaries if one.loop_id not in known]
        self._statements.insert(self._summaries, (self._row(one) for one in new))
        for one in summaries:
            there = known.get(one.loop_id)
            if there and _is_newer(one, there):
                self._replace(self._row(one))

    def get(self, loop_ids: Iterable[LoopId]) -> dict[LoopId, LoopSummary]:
        """Those of the summaries that are there."""
        rows = self._statements.rows(
            f"SELECT {_PLAIN}, {instants(['last_ts'])} FROM {self._summaries}"
            f" WHERE anchor_id = ? AND loop_id IN (SELECT unnest(?::UUID[]))",
            [self._anchor_id, list(loop_ids)],
        )
        return {row["loop_id"]: summary_from(row) for row in rows}

    def stamp(self, limit: int) -> Stamp:  # noqa: ARG002 (the port's: to find the last would cost more than to count all)
        """What changes whenever the window does: here whenever any summary does."""
        (row,) = self._statements.rows(
            f"SELECT count(*) AS loops, coalesce(sum(last_position), 0)::BIGINT AS positions,"
            f" count(*) FILTER (status = 'derived') AS summarised FROM {self._summaries} WHERE anchor_id = ?",
            [self._anchor_id],
        )
        return row["loops"], row["positions"], row["summarised"]

    def window(self, limit: int) -> Window:
        """The summaries of the last loops, by their last event's position."""
        found = self._statements.columns(
            f"SELECT loop_id::VARCHAR AS loop_id, normalized, epoch_us(last_ts) / 1e6 AS seconds, kind, visibility"
            f" FROM (SELECT * FROM {self._summaries} WHERE anchor_id = ? ORDER BY last_position DESC LIMIT ?)"
            f" WHERE status = 'derived' ORDER BY last_position DESC",
            [self._anchor_id, limit],
        )
        ids, texts, seconds, kinds, visibilities = (column.tolist() for column in found.values())
        return Window([LoopId(UUID(id_)) for id_ in ids], texts, seconds, list(zip(kinds, visibilities, strict=True)))

    def idle(self, since: datetime, limit: int) -> list[LoopId]:
        """The loops that are not over, and in which nothing has happened since."""
        rows = self._statements.rows(
            f"SELECT loop_id FROM {self._summaries} WHERE anchor_id = ? AND phase IN ('new', 'open') AND last_ts <= ?"
            f" ORDER BY last_ts, loop_id LIMIT ?",
            [self._anchor_id, since, limit],
        )
        return [row["loop_id"] for row in rows]

    def remaining(self) -> list[Remainder]:
        """What is not summarised yet."""
        return remainders(
            self._statements.rows(
                f"SELECT status, count(*) AS count, max(attempts) AS attempts,"
                f" arg_max(last_error, (attempts, last_position)) AS last_error"
                f" FROM {self._summaries} WHERE anchor_id = ? AND status <> 'derived' GROUP BY status"
                f" UNION ALL SELECT 'pending_summary',"
                f" (SELECT count(DISTINCT loop_id) FROM {self._events} WHERE anchor_id = ?)"
                f" - (SELECT count(*) FROM {self._summaries} WHERE anchor_id = ?), 0, NULL",
                [self._anchor_id] * 3,
            )
        )

    def _row(self, summary: LoopSummary) -> dict[str, Any]:
        return {"anchor_id": self._anchor_id, **summary_row(summary)}

    def _replace(self, row: dict[str, Any]) -> None:
        written = {name: value for name, value in row.items() if name not in ("anchor_id", "loop_id")}
        assigned = ", ".join(f"{name} = ?" for name in written)
        self._statements.run(
            f"UPDATE {self._summaries} SET {assigned} WHERE anchor_id = ? AND loop_id = ?",
            [*written.values(), self._anchor_id, row["loop_id"]],
        )


def _is_newer(one: LoopSummary, there: LoopSummary) -> bool:
    if one.last_position == there.last_position:
        return there.progress.status is not DerivationStatus.DERIVED
    return one.last_position > there.last_position


if TYPE_CHECKING:
    from lamina.ports.short_term import ShortTerm

    _: type[ShortTerm] = DuckDBShortTerm
