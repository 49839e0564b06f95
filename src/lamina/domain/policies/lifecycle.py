"""P6, lifecycle and retention: what dies, what is archived, what stays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Protocol, runtime_checkable

from lamina.domain.frozen import Count, Frozen, Period
from lamina.domain.instants import spoken
from lamina.domain.policies.policy import OneOf, Worded


class Fate(StrEnum):
    """What is to become of a record now."""

    KEEP = "keep"
    DROP = "drop"
    DISPOSE = "dispose"
    """It must come to an outcome: promoted, exempted or archived."""
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class Review:
    """The fate, and why."""

    fate: Fate
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """All that a lifecycle looks at."""

    age: timedelta = timedelta()
    scope_ended: bool = False
    disposed: bool = False
    action_linked: bool = False
    failures_in_a_row: int = 0
    canonical_source_changed: bool = False
    explicitly_invalidated: bool = False


@runtime_checkable
class LifecyclePolicy(Worded, Protocol):
    """Answers what is to become of a record; `dream()` and the tier boundaries ask."""

    def review(self, now: Circumstances) -> Review:
        """The fate of a live record in these circumstances."""
        ...


class DropAtScopeEnd(Frozen):
    """Episodic, transient: drop at scope-end unless promoted at the tier boundary."""

    words: ClassVar[str] = "drop at scope-end unless promoted at the tier boundary"
    kind: Literal["drop-at-scope-end"] = "drop-at-scope-end"

    def review(self, now: Circumstances) -> Review:
        """Dropped with its scope, unless an action rests on it."""
        if not now.scope_ended:
            return Review(Fate.KEEP, "its scope is open")
        if now.action_linked:
            return Review(Fate.KEEP, "an action was justified by it")
        return Review(Fate.DROP, "its scope ended" + ("; what was promoted lives on above" if now.disposed else ""))


class DisposeByForcing(Frozen):
    """Episodic, persistent: forcing-function decay toward disposition."""

    kind: Literal["dispose-by-forcing"] = "dispose-by-forcing"
    within: Period = timedelta(days=90)

    @property
    def words(self) -> str:
        return f"promote, exempt or archive within {spoken(self.within)}"

    def review(self, now: Circumstances) -> Review:
        """Left alone until its time is up; then it must come to an outcome."""
        if now.explicitly_invalidated:
            return Review(Fate.ARCHIVE, "explicitly invalidated")
        if now.disposed:
            return Review(Fate.KEEP, "already disposed of")
        if now.age < self.within:
            return Review(Fate.KEEP, f"{spoken(self.within - now.age)} left to dispose of it")
        return Review(Fate.DISPOSE, f"undisposed for {spoken(now.age)}, {spoken(self.within)} is the limit")


class TrackCorroboration(Frozen):
    """Semantic: persist with corroboration tracking; archive when the canonical source changed or after N failures."""

    kind: Literal["track-corroboration"] = "track-corroboration"
    failures: Count = 3

    @property
    def words(self) -> str:
        return f"persist; archive on canonical-source change or {self.failures} failed corroborations in a row"

    def review(self, now: Circumstances) -> Review:
        """Kept for as long as nothing speaks against it."""
        if now.explicitly_invalidated:
            return Review(Fate.ARCHIVE, "explicitly invalidated")
        if now.canonical_source_changed:
            return Review(Fate.ARCHIVE, "its canonical source changed")
        if now.failures_in_a_row >= self.failures:
            return Review(Fate.ARCHIVE, f"{now.failures_in_a_row} corroborations in a row failed")
        return Review(Fate.KEEP, f"{now.failures_in_a_row} of {self.failures} failures in a row")


class PersistIndefinitely(Frozen):
    """Procedural: persist indefinitely; archive on explicit invalidation only."""

    words: ClassVar[str] = "persist indefinitely; archive on explicit invalidation only"
    kind: Literal["persist-indefinitely"] = "persist-indefinitely"

    def review(self, now: Circumstances) -> Review:
        """Nothing but a word against it ends it."""
        if now.explicitly_invalidated:
            return Review(Fate.ARCHIVE, "explicitly invalidated")
        return Review(Fate.KEEP, "procedural memory is the durable form")


Lifecycle = Annotated[LifecyclePolicy, OneOf(DropAtScopeEnd, DisposeByForcing, TrackCorroboration, PersistIndefinitely)]
