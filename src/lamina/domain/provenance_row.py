"""What is kept about records, as flat rows and back: what both stores keep is the same by construction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lamina.domain.contradiction import Contradiction, ContradictionStatus, StatusChange
from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import AnchorId, MemoryId
from lamina.domain.injected import Injected
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import ActionLink, RuleRef

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
        "world_version": one.world_version,
        "found_in": one.found_in,
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
        world_version=row["world_version"],
        found_in=row["found_in"],
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


def entries_by_record(entries: Iterable[DecisionEntry], ids: Iterable[MemoryId]) -> dict[MemoryId, list[DecisionEntry]]:
    """For each of these records the decisions that touched it, in the order in which they are given."""
    wanted, found = set(ids), dict[MemoryId, list[DecisionEntry]]()
    for entry in entries:
        for id_ in wanted.intersection(entry.outcome.ids):
            found.setdefault(id_, []).append(entry)
    return found


def action_link_row(anchor_id: AnchorId, link: ActionLink) -> Row:
    """Every column of the action links table."""
    return {
        "anchor_id": anchor_id,
        "kind": link.kind,
        "ref": link.ref,
        "memory_id": link.memory_id,
        "linked_at": link.linked_at,
    }


def action_link_from(row: Mapping[str, Any]) -> ActionLink:
    """The link that a row is."""
    return ActionLink(row["kind"], row["ref"], row["memory_id"], row["linked_at"])


def references_by_record(rows: Iterable[Mapping[str, Any]]) -> dict[MemoryId, frozenset[RuleRef]]:
    """The rules that each record refers to, from rows of the references table."""
    found: dict[MemoryId, set[RuleRef]] = {}
    for row in rows:
        found.setdefault(row["memory_id"], set()).add(RuleRef(row["rule_id"], row["rule_version"]))
    return {id_: frozenset(refs) for id_, refs in found.items()}


def contradiction_row(anchor_id: AnchorId, one: Contradiction) -> Row:
    """Every column of the contradictions table but the anchor's own keys."""
    rule = one.against if isinstance(one.against, RuleRef) else None
    return {
        "anchor_id": anchor_id,
        "id": one.id,
        "memory_id": one.memory_id,
        "rule_id": rule and rule.rule_id,
        "rule_version": rule and rule.version,
        "other_memory_id": None if isinstance(one.against, RuleRef) else one.against,
        "world_version": one.world_version,
        "observed_at": one.observed_at,
        "status": one.status.value,
    }


def step_rows(anchor_id: AnchorId, one: Contradiction) -> list[Row]:
    """A row for each step of its history, in order."""
    return [
        {
            "anchor_id": anchor_id,
            "contradiction_id": one.id,
            "position": position,
            "status": step.status.value,
            "changed_at": step.at,
            "notes": step.notes,
        }
        for position, step in enumerate(one.history)
    ]


def contradiction_from(row: Mapping[str, Any], steps: Iterable[Mapping[str, Any]]) -> Contradiction:
    """The contradiction that a row is, with the rows of its history, in order."""
    rule = RuleRef(row["rule_id"], row["rule_version"]) if row["rule_id"] else None
    return Contradiction(
        id=row["id"],
        memory_id=row["memory_id"],
        against=rule or row["other_memory_id"],
        history=tuple(
            StatusChange(ContradictionStatus(step["status"]), step["changed_at"], step["notes"]) for step in steps
        ),
        world_version=row["world_version"],
    )


def injected_row(anchor_id: AnchorId, one: Injected) -> Row:
    """Every column of the injections table."""
    return {
        "anchor_id": anchor_id,
        "session_id": one.session_id,
        "injected_at": one.at,
        "memory_id": one.memory_id,
    }


def injected_from(row: Mapping[str, Any]) -> Injected:
    """What was injected, from its row."""
    return Injected(row["session_id"], row["memory_id"], row["injected_at"])
