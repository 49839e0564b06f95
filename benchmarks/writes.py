"""Writing as an application does. A figure is worth nothing if a write was refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import lamina

if TYPE_CHECKING:
    from lamina.application.session import Session

BATCH = 10_000
"""The fastest of 250, 1,000, 2,500 and 10,000 on Postgres, in the trial that the peer's was found by."""


def observe(session: Session, body: str) -> None:
    """One."""
    _check_written([session.observe(body)])


def observe_many(session: Session, bodies: Sequence[str]) -> None:
    """All of them, in batches."""
    for start in range(0, len(bodies), BATCH):
        _check_written(session.observe_many([lamina.Observation(body) for body in bodies[start : start + BATCH]]))


def _check_written(outcomes: Sequence[lamina.Outcome]) -> None:
    for outcome in outcomes:
        if outcome.decision is not lamina.Decision.ADD:
            raise SystemExit(f"a write was refused: {outcome.reason}")
