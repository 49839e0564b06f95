"""What a shelf knows of each record, as columns: what selections ask for, and what ranking looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import numpy as np

from lamina.adapters.duckdb.arrays import Array, halves
from lamina.domain.as_of import known_since
from lamina.domain.instants import EPOCH
from lamina.domain.neighbourhood import closing
from lamina.domain.outline import NEVER, NUMBERS
from lamina.domain.record import MemoryRecord
from lamina.domain.state import Archived, Candidate, Invalidated, Superseded, Tombstoned, is_disposed
from lamina.domain.typology import CELLS

CODES: Final = {(cell.tier, cell.typology): code for code, cell in enumerate(CELLS)}
NOBODY: Final = UUID(int=0)
"""The session of what was never observed."""
_MICROSECOND: Final = timedelta(microseconds=1)
COLUMNS: Final = (
    *NUMBERS,
    *("known_at", "invalid_at", "former_end", "archived_at", "invalidated_at", "superseded_at"),
)
"""What is kept of each record in whole numbers: first what an outline says."""
FLAGS: Final = ("live", "retired")
ARRIVING: Final = ("session_high", "session_low", "position")
"""Where new records were first observed: the shelf numbers the sessions, and makes spots of it. A position that is
not known is -1."""


def columns_of(records: Sequence[MemoryRecord]) -> dict[str, Array]:
    """Every column of new records, which nobody has confirmed yet."""
    high, low = halves(record.id for record in records)
    session_high, session_low = halves(one.origin.session_id if one.origin else NOBODY for one in records)
    given = {
        "cell": [CODES[record.tier, record.typology] for record in records],
        "valid_at": [microseconds(record.validity.valid_at) for record in records],
        "recorded_at": [microseconds(record.recorded_at) for record in records],
        "characters": [len(record.body) for record in records],
        "asking": [closing(record.body) for record in records],
        "confirmations": [0] * len(records),
        "confirmed_at": [NEVER] * len(records),
        **{name: [of(record) for record in records] for name, of in STATE.items()},
    }
    numbers = {name: np.array(values, dtype=np.bool_ if name in FLAGS else np.int64) for name, values in given.items()}
    position = np.array([one.origin.position if one.origin else -1 for one in records], dtype=np.int64)
    stood = dict(zip(ARRIVING, (session_high, session_low, position), strict=True))
    return {"high": high, "low": low, **stood, **numbers}


def is_retired(record: MemoryRecord) -> bool:
    """Whether it is kept and readable, but not live."""
    return not record.live and not isinstance(record.state, Candidate | Tombstoned)


def microseconds(instant: datetime | None) -> int:
    """A time as a whole number."""
    return NEVER if instant is None else (instant - EPOCH) // _MICROSECOND


def _since(kind: type[Archived | Invalidated | Superseded]) -> Callable[[MemoryRecord], int]:
    def since(record: MemoryRecord) -> int:
        return microseconds(record.state.at) if isinstance(record.state, kind) else NEVER

    return since


def _former_end(record: MemoryRecord) -> int:
    return microseconds(record.state.former_end) if isinstance(record.state, Invalidated) else NEVER


STATE: Final[Mapping[str, Callable[[MemoryRecord], int | bool]]] = {
    "live": lambda record: record.live,
    "retired": is_retired,
    "disposed": lambda record: is_disposed(record.state),
    "known_at": lambda record: microseconds(known_since(record)),
    "invalid_at": lambda record: microseconds(record.validity.invalid_at),
    "former_end": _former_end,
    "archived_at": _since(Archived),
    "invalidated_at": _since(Invalidated),
    "superseded_at": _since(Superseded),
}
"""What a transition changes."""
