"""What is derived from the log (C), and what is left of it when a model fails: a status that can be tried again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

LONGEST_ERROR: Final = 500


class DerivationStatus(StrEnum):
    """How far a derived entry has come."""

    PENDING_COMPACTION = "pending_compaction"
    PENDING_EMBEDDING = "pending_embedding"
    """It has its text, and is found by its words; what lacks is the vector."""
    PENDING_SUMMARY = "pending_summary"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class Progress:
    """The status of one entry, how often it was tried in vain, and what was said last."""

    status: DerivationStatus
    attempts: int = 0
    last_error: str | None = None

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return self.status is DerivationStatus.DERIVED

    def failed(self, status: DerivationStatus, error: Exception) -> Progress:
        """After one more attempt that failed."""
        return Progress(status, self.attempts + 1, told(error))


def told(error: BaseException) -> str:
    """What an error says, as it is kept: storable, and of a bounded length."""
    said = f"{type(error).__name__}: {_words(error)}".encode(errors="replace").decode().replace("\0", " ")
    return said[:LONGEST_ERROR]


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 (whatever goes wrong in it, something went wrong before, and that is told)
        return "it cannot say what happened"


@dataclass(frozen=True, slots=True)
class Remainder:
    """What is left of one kind: how many entries, how often the worst was tried, and what was said last."""

    status: DerivationStatus
    count: int
    attempts: int = 0
    last_error: str | None = None

    def __str__(self) -> str:
        why = f" after {self.attempts} attempts: {self.last_error}" if self.last_error else ": not tried yet"
        return f"{self.count:,} {self.status}{why}"
