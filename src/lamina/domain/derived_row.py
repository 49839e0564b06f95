"""Entries and summaries as flat rows and back. The persona is the table's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from lamina.domain.derivation import DerivationStatus, Progress, Remainder
from lamina.domain.event_row import Row
from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.long_term import LongTermEntry
from lamina.domain.loop_state import Phase
from lamina.domain.loop_summary import LoopSummary, normalized

ENTRY_COLUMNS: Final = (
    "id", "position", "loop_id", "ts", "kind", "visibility", "entry", "status", "attempts", "last_error",
)  # fmt: skip
SUMMARY_COLUMNS: Final = (
    "loop_id", "phase", "last_position", "last_ts", "kind", "visibility", "covers", "summary", "status", "attempts",
    "last_error",
)  # fmt: skip


def entry_row(entry: LongTermEntry) -> Row:
    """What both stores keep of an entry, beside what it is found by."""
    return {
        "id": entry.id,
        "position": entry.position,
        "loop_id": entry.loop_id,
        "ts": entry.ts,
        "kind": entry.kind.value,
        "visibility": entry.visibility.value,
        "entry": entry.text,
        **_progress_row(entry.progress),
    }


def entry_from(row: Mapping[str, Any]) -> LongTermEntry:
    """The entry that a row is."""
    return LongTermEntry(
        row["id"],
        row["position"],
        row["loop_id"],
        row["ts"],
        EventKind(row["kind"]),
        EventVisibility(row["visibility"]),
        row["entry"],
        _progress_from(row),
    )


def claimed_entry(row: Mapping[str, Any]) -> LongTermEntry | None:
    """What there is of an event's entry, of a row that has the event's columns and beside them the entry's own."""
    if row["status"] is None:
        return None
    return entry_from(row)


def remainders(rows: Iterable[Mapping[str, Any]]) -> list[Remainder]:
    """What is left, of rows that count by status."""
    return [
        Remainder(DerivationStatus(row["status"]), row["count"], row["attempts"], row["last_error"])
        for row in rows
        if row["count"]
    ]


def summary_row(summary: LoopSummary) -> Row:
    """What both stores keep of a summary. What fuzzy search compares is worked out once, here."""
    return {
        "loop_id": summary.loop_id,
        "phase": summary.phase.value,
        "last_position": summary.last_position,
        "last_ts": summary.last_ts,
        "kind": summary.kind.value,
        "visibility": summary.visibility.value,
        "covers": list(summary.covers),
        "summary": summary.text,
        "normalized": None if summary.text is None else normalized(summary.text),
        **_progress_row(summary.progress),
    }


def summary_from(row: Mapping[str, Any]) -> LoopSummary:
    """The summary that a row is."""
    return LoopSummary(
        row["loop_id"],
        Phase(row["phase"]),
        row["last_position"],
        row["last_ts"],
        EventKind(row["kind"]),
        EventVisibility(row["visibility"]),
        tuple(row["covers"]),
        row["summary"],
        _progress_from(row),
    )


def _progress_row(progress: Progress) -> Row:
    return {"status": progress.status.value, "attempts": progress.attempts, "last_error": progress.last_error}


def _progress_from(row: Mapping[str, Any]) -> Progress:
    return Progress(DerivationStatus(row["status"]), row["attempts"], row["last_error"])
