"""The memory record: a structured envelope, references, and one bounded reasoning note (P13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from lamina.domain.claim import Claim
from lamina.domain.errors import ImpossibleState, OutOfRange, WrongType
from lamina.domain.frozen import FrozenMap
from lamina.domain.ids import EmbeddingId, InteractionId, MemoryId, SessionId
from lamina.domain.instants import checked_instant
from lamina.domain.scope import Scope
from lamina.domain.state import ACTIVE, State, Tombstoned, is_live
from lamina.domain.text import checked_text
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology
from lamina.domain.validity import Validity

LONGEST_BODY = 100_000
"""No spec may bound bodies higher than this; each bounds them far lower."""


class Reach(StrEnum):
    """How far a fact holds. Beyond its own anchor and version it is meta-semantic (P9)."""

    ANCHOR = "anchor"
    CROSS_VERSION = "cross_version"
    CROSS_ANCHOR = "cross_anchor"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where it was first observed. It survives promotion, so that neighbours and independence can be told."""

    session_id: SessionId
    interaction_id: InteractionId | None
    position: int

    def __post_init__(self) -> None:
        if self.position < 0:
            raise OutOfRange("origin position", f"is {self.position}", "count from 0")


class Tags(FrozenMap[str, str]):
    """The envelope: a few short labels to find a record by."""

    __slots__ = ()

    def __init__(self, labels: Mapping[str, str] = FrozenMap()) -> None:
        if not isinstance(labels, Mapping):
            raise WrongType("tags", f"are a {type(labels).__name__}", "give names with values, as a dict")
        if len(labels) > 32:
            raise OutOfRange("tags", f"are {len(labels)}", "give at most 32: an envelope is not a body")
        for key, value in labels.items():
            checked_text(key, "tag key", at_most=64)
            checked_text(value, f"tag {key}", at_most=256)
        # In one order, whatever a store makes of theirs: they are shown, and counted in tokens.
        super().__init__(sorted(labels.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """One memory. It never changes: a transition gives another record (see transitions)."""

    id: MemoryId
    scope: Scope
    typology: Typology
    body: str
    recorded_at: datetime
    validity: Validity
    tags: Tags = field(default_factory=Tags)
    claim: Claim | None = None
    reach: Reach = Reach.ANCHOR
    granted_at: datetime | None = None
    """When it became live, if it was a candidate first: until then we did not know it."""
    world_version: str | None = None
    """The world model's version that was active: provenance, not a pin (D5)."""
    origin: Origin | None = None
    embedding_id: EmbeddingId | None = None
    """A transient record may live and die without an embedding (D11)."""
    state: State = ACTIVE
    version: int = 1
    """Counts transitions, so that two writers of one record notice each other."""

    def __post_init__(self) -> None:
        checked_instant(self.recorded_at, "recorded_at")
        if self.granted_at is not None:
            checked_instant(self.granted_at, "granted_at")
        self._check_body()
        if self.reach is not Reach.ANCHOR and self.cell != (Tier.PERSISTENT, Typology.SEMANTIC):
            raise ImpossibleState(
                f"{self.cell} record", f"cannot reach {self.reach}", "only persistent facts go further"
            )
        if self.world_version is not None:
            checked_text(self.world_version, "world_version", at_most=100)
        if self.version < 1:
            raise OutOfRange("version", f"is {self.version}", "count from 1")

    def _check_body(self) -> None:
        if not isinstance(self.state, Tombstoned):
            checked_text(self.body, "body", at_most=LONGEST_BODY)
        elif self.body:
            raise ImpossibleState("tombstoned record", "still has a body", "blank it")

    @property
    def tier(self) -> Tier:
        """How durable it is."""
        return self.scope.tier

    @property
    def cell(self) -> Cell:
        """What its policies are resolved by."""
        return Cell(self.tier, self.typology)

    @property
    def live(self) -> bool:
        """Whether recall surfaces it."""
        return is_live(self.state)
