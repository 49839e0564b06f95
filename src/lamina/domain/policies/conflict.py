"""P10, conflict: what happens when a new memory meets an old one. No model is asked; what rules cannot tell apart
opens a contradiction, and invalidates nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Protocol, runtime_checkable

from lamina.domain.claim import Claim
from lamina.domain.frozen import Frozen, Share
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision
from lamina.domain.policies.policy import OneOf, Worded
from lamina.domain.record import MemoryRecord
from lamina.domain.substance import change_between


@dataclass(frozen=True, slots=True)
class Incoming:
    """What is about to be written."""

    body: str
    claim: Claim | None
    valid_at: datetime


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A live record of the same anchor and typology, and how similar its text is."""

    record: MemoryRecord
    similarity: float


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is to be done. Whatever it is, the incoming fact survives or is already there."""

    decision: Decision
    reason: str
    about: MemoryId | None = None
    """The old record: confirmed by a NOOP, retired by an UPDATE, disputed by an ADD."""
    until: datetime | None = None
    """When the new record stops being valid: a backdated fact ends where the next one begins."""

    @property
    def opens_contradiction(self) -> bool:
        """Whether both stay, and somebody is to look."""
        return self.decision is Decision.ADD and self.about is not None


class Ruling(StrEnum):
    """What a judge may say of two texts that the rules could not tell apart."""

    SAME = "same"
    """They say the same: one is enough."""
    REPLACES = "replaces"
    """They are about one thing, and the new one is so now."""
    DIFFERENT = "different"
    """They are about two things: both stand."""
    UNSURE = "unsure"


def ruled(open_: Resolution, ruling: Ruling, reason: str) -> Resolution:
    """The resolution, once a judge has looked. Where the judge is unsure, the rules' own stands, and says so."""
    said = f"the judge: {reason}"
    match ruling:
        case Ruling.SAME:
            return Resolution(Decision.NOOP, said, open_.about)
        case Ruling.REPLACES:
            return Resolution(Decision.UPDATE, said, open_.about, open_.until)
        case Ruling.DIFFERENT:
            return Resolution(Decision.ADD, said, until=open_.until)
        case Ruling.UNSURE:
            return replace(open_, reason=f"{open_.reason} ({said})")


@runtime_checkable
class ConflictPolicy(Worded, Protocol):
    """Answers how the new and the old go together."""

    supersedes: ClassVar[bool]
    """Whether an UPDATE supersedes the old record; otherwise it invalidates it."""

    def resolve(self, incoming: Incoming, neighbours: Sequence[Neighbour]) -> Resolution:
        """One decision for the incoming memory."""
        ...


class Accumulate(Frozen):
    """Episodic: NOOP on what is there. Episodes accumulate; contradictions are themselves observations."""

    supersedes: ClassVar[bool] = False
    words: ClassVar[str] = "NOOP: episodes accumulate; contradictions are themselves observations"
    kind: Literal["accumulate"] = "accumulate"

    def resolve(self, incoming: Incoming, neighbours: Sequence[Neighbour]) -> Resolution:  # noqa: ARG002
        """Adds the episode and leaves the others as they are."""
        return Resolution(Decision.ADD, "episodes accumulate")


class _LatestWins(Frozen):
    """What facts and preferences have in common: by claim where there is one, by text where there is none."""

    near: Share = 0.9
    """From this similarity on, a text without a claim reads like a known one."""

    def resolve(self, incoming: Incoming, neighbours: Sequence[Neighbour]) -> Resolution:
        """One decision for the incoming memory."""
        return _by_claim(incoming, neighbours) or _by_text(incoming, neighbours, self.near)


class TemporalUpdate(_LatestWins):
    """Semantic: UPDATE with temporal validity; the old fact ends where the new one begins, and both are kept."""

    supersedes: ClassVar[bool] = False
    words: ClassVar[str] = (
        "UPDATE with temporal validity: the old fact gets invalid_at, the new one valid_at; both kept"
    )
    kind: Literal["temporal-update"] = "temporal-update"


class Supersede(_LatestWins):
    """Procedural: UPDATE with supersession; the latest preference wins, the prior is kept for audit."""

    supersedes: ClassVar[bool] = True
    words: ClassVar[str] = "UPDATE with supersession: the latest preference wins, the prior is archived for audit"
    kind: Literal["supersede"] = "supersede"


def _by_claim(incoming: Incoming, neighbours: Sequence[Neighbour]) -> Resolution | None:
    """Places a claim on the time line of its subject and aspect."""
    claim = incoming.claim
    if claim is None:
        return None
    line = [near.record for near in neighbours if near.record.claim and near.record.claim.key == claim.key]
    held = next((record for record in line if record.validity.covers(incoming.valid_at)), None)
    ends = [record.validity.valid_at for record in line if record.validity.valid_at > incoming.valid_at]
    if held and held.validity.invalid_at:
        ends.append(held.validity.invalid_at)
    until = min(ends, default=None)
    if held is None:
        return Resolution(Decision.ADD, "a later fact bounds it" if until else "nothing was known of it", until=until)
    if held.claim and held.claim.agrees_with(claim):
        return Resolution(Decision.NOOP, "it is known already: a corroboration", about=held.id)
    return Resolution(Decision.UPDATE, f"{claim.aspect!r} of {claim.subject!r} has another value", held.id, until)


def _by_text(incoming: Incoming, neighbours: Sequence[Neighbour], near: float) -> Resolution:
    nearest = max(neighbours, key=lambda one: (one.similarity, one.record.id), default=None)
    if nearest is None or nearest.similarity < near:
        return Resolution(Decision.ADD, "nothing like it was known")
    change = change_between(nearest.record.body, incoming.body)
    if change is None:
        return Resolution(Decision.NOOP, "it is known already: a corroboration", about=nearest.record.id)
    return Resolution(
        Decision.ADD, f"reads like a known one, but {change}: somebody is to look", about=nearest.record.id
    )


Conflict = Annotated[ConflictPolicy, OneOf(Accumulate, TemporalUpdate, Supersede)]
