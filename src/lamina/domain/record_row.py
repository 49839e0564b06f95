"""A record as one flat row of named columns, and back: what both stores keep is the same by construction."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from lamina.domain.anchor import Anchor
from lamina.domain.claim import Claim
from lamina.domain.record import MemoryRecord, Origin, Reach, Tags
from lamina.domain.scope import InteractionScope, PersistentScope, Scope, SessionScope
from lamina.domain.state import (
    Active,
    Archived,
    Candidate,
    Exempted,
    Invalidated,
    Promoted,
    Retired,
    State,
    Superseded,
    Tombstoned,
)
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity

Row = dict[str, Any]
_as_json: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode

STATE_COLUMNS: Final = (
    "invalid_at",
    "granted_at",
    "held_at",
    "held_by",
    "promoted_at",
    "promoted_into",
    "exempted_at",
    "archived_at",
    "invalidated_at",
    "former_invalid_at",
    "superseded_at",
    "superseded_by",
    "tombstoned_at",
    "state_reason",
    "erasure_reason",
)
"""What a transition may change. Everything else about a record is written once."""

_UNCHANGED: Final[Row] = dict.fromkeys(STATE_COLUMNS)
# fmt: off
MEMORY_COLUMNS: Final = frozenset({
    "anchor_id", "id", "session_id", "interaction_id", "tier", "typology", "tags", "body_text", "claim_subject",
    "claim_aspect", "claim_value", "subject_key", "aspect_key", "reach", "recorded_at", "valid_at", "world_version",
    "origin_session_id", "origin_interaction_id", "origin_position", "embedding_id", "version", *STATE_COLUMNS,
})
RESERVED: Final = MEMORY_COLUMNS | {
    "memory_id", "rule_id", "rule_version", "other_memory_id", "observed_at", "status", "created_at",
}
# fmt: on
"""What an anchor's key must not be called: the columns of the tables that have the anchor's own keys beside them."""

NOT_LIVE: Final = ("held_at", "archived_at", "invalidated_at", "superseded_at", "tombstoned_at")
"""A record is live while all of these are NULL: stores select by that."""


def to_row(record: MemoryRecord) -> Row:
    """Every column of the memory table but the anchor's own keys."""
    scope, claim, origin = record.scope, record.claim, record.origin
    subject, aspect = claim.key if claim else (None, None)
    return {
        "anchor_id": scope.anchor.id,
        "id": record.id,
        "session_id": None if isinstance(scope, PersistentScope) else scope.session_id,
        "interaction_id": scope.interaction_id if isinstance(scope, InteractionScope) else None,
        "tier": record.tier.value,
        "typology": record.typology.value,
        "tags": _as_json(dict(record.tags)) if record.tags else "{}",
        "body_text": record.body,
        "claim_subject": claim and claim.subject,
        "claim_aspect": claim and claim.aspect,
        "claim_value": claim and claim.value,
        "subject_key": subject,
        "aspect_key": aspect,
        "reach": record.reach.value,
        "recorded_at": record.recorded_at,
        "valid_at": record.validity.valid_at,
        "world_version": record.world_version,
        "origin_session_id": origin and origin.session_id,
        "origin_interaction_id": origin and origin.interaction_id,
        "origin_position": origin and origin.position,
        "embedding_id": record.embedding_id,
        "version": record.version,
        **state_row(record),
    }


def state_row(record: MemoryRecord) -> Row:
    """The columns that a transition may change."""
    row = _UNCHANGED | {"invalid_at": record.validity.invalid_at, "granted_at": record.granted_at}
    state = record.state
    if isinstance(state, Active):
        return row
    if isinstance(state, Tombstoned):
        row |= {"tombstoned_at": state.at, "erasure_reason": state.reason}
        state = state.was
    return row | _columns(state)


def _columns(state: State) -> Row:
    match state:
        case Candidate(at, reason, criterion):
            return {"held_at": at, "state_reason": reason, "held_by": criterion}
        case Promoted(at, into):
            return {"promoted_at": at, "promoted_into": into}
        case Exempted(at, reason):
            return {"exempted_at": at, "state_reason": reason}
        case Archived(at, reason):
            return {"archived_at": at, "state_reason": reason}
        case Invalidated(at, reason, by, former_end):
            return {
                "invalidated_at": at,
                "state_reason": reason,
                "superseded_by": by,
                "former_invalid_at": former_end,
            }
        case Superseded(at, by):
            return {"superseded_at": at, "superseded_by": by}
        case _:
            return {}


def from_row(row: Mapping[str, Any], anchor: Anchor) -> MemoryRecord:
    """The record that a row is. Times come with a time zone, ids as UUIDs."""
    return MemoryRecord(
        id=row["id"],
        scope=_scope(row, anchor),
        typology=Typology(row["typology"]),
        body=row["body_text"],
        recorded_at=row["recorded_at"],
        validity=Validity(row["valid_at"], row["invalid_at"]),
        tags=Tags(json.loads(row["tags"])),
        claim=_claim(row),
        reach=Reach(row["reach"]),
        granted_at=row["granted_at"],
        world_version=row["world_version"],
        origin=_origin(row),
        embedding_id=row["embedding_id"],
        state=_state(row),
        version=row["version"],
    )


def _scope(row: Mapping[str, Any], anchor: Anchor) -> Scope:
    match Tier(row["tier"]):
        case Tier.INTERACTION:
            return InteractionScope(anchor, row["session_id"], row["interaction_id"])
        case Tier.SESSION:
            return SessionScope(anchor, row["session_id"])
        case Tier.PERSISTENT:
            return PersistentScope(anchor)


def _claim(row: Mapping[str, Any]) -> Claim | None:
    if row["claim_subject"] is None:
        return None
    return Claim(row["claim_subject"], row["claim_aspect"], row["claim_value"])


def _origin(row: Mapping[str, Any]) -> Origin | None:
    if row["origin_session_id"] is None:
        return None
    return Origin(row["origin_session_id"], row["origin_interaction_id"], row["origin_position"])


def _state(row: Mapping[str, Any]) -> State:
    if row["tombstoned_at"] is not None:
        return Tombstoned(row["tombstoned_at"], row["erasure_reason"], _retired(row))
    if row["held_at"] is not None:
        return Candidate(row["held_at"], row["state_reason"], row["held_by"])
    if row["promoted_at"] is not None:
        return Promoted(row["promoted_at"], row["promoted_into"])
    if row["exempted_at"] is not None:
        return Exempted(row["exempted_at"], row["state_reason"])
    return Active() if _is_active(row) else _retired(row)


def _is_active(row: Mapping[str, Any]) -> bool:
    return all(row[column] is None for column in ("archived_at", "invalidated_at", "superseded_at"))


def _retired(row: Mapping[str, Any]) -> Retired:
    if row["archived_at"] is not None:
        return Archived(row["archived_at"], row["state_reason"])
    if row["invalidated_at"] is not None:
        reason, by, former_end = row["state_reason"], row["superseded_by"], row["former_invalid_at"]
        return Invalidated(row["invalidated_at"], reason, by, former_end)
    return Superseded(row["superseded_at"], row["superseded_by"])
