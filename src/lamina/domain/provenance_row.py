"""Corroborations and decisions as flat rows, and back: what both stores keep is the same by construction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import AnchorId
from lamina.domain.outcome import Decision, Outcome

Row = dict[str, Any]


def corroboration_row(anchor_id: AnchorId, one: Corroboration) -> Row:
    """Every column of the corroborations table."""
    return {
        "anchor_id": anchor_id,
        "id": one.id,
        "memory_id": one.memory_id,
        "source_type": one.source_type.value,
        "source_ref": one.source_ref,
        "corroborated_at": one.corroborated_at,
        "session_id": one.session_id,
        "outcome": one.outcome.value,
        "notes": one.notes,
    }


def corroboration_from(row: Mapping[str, Any]) -> Corroboration:
    """The corroboration that a row is."""
    return Corroboration(
        id=row["id"],
        memory_id=row["memory_id"],
        source_type=SourceType(row["source_type"]),
        source_ref=row["source_ref"],
        corroborated_at=row["corroborated_at"],
        session_id=row["session_id"],
        outcome=Finding(row["outcome"]),
        notes=row["notes"],
    )


def decision_row(anchor_id: AnchorId, entry: DecisionEntry) -> Row:
    """Every column of the decisions table."""
    return {
        "anchor_id": anchor_id,
        "id": entry.id,
        "verb": entry.verb,
        "decided_at": entry.at,
        "decision": entry.outcome.decision.value,
        "reason": entry.outcome.reason,
        "rule": entry.outcome.rule,
    }


def touched_rows(anchor_id: AnchorId, entry: DecisionEntry) -> list[Row]:
    """A row for each record that the decision touched, in order."""
    return [
        {"anchor_id": anchor_id, "decision_id": entry.id, "position": position, "memory_id": memory_id}
        for position, memory_id in enumerate(entry.outcome.ids)
    ]


def decision_from(row: Mapping[str, Any]) -> DecisionEntry:
    """The decision that a row is, with the ids of what it touched in the column `ids`."""
    outcome = Outcome(Decision(row["decision"]), tuple(row["ids"]), row["reason"], row["rule"])
    return DecisionEntry(row["id"], row["verb"], row["decided_at"], outcome)
