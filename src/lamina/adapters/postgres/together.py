"""Statements that are sent together, in one round trip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from psycopg import Connection, Error


@contextmanager
def together(connection: Connection[Any]) -> Iterator[None]:
    """A pipeline. Where one of them fails, what was aborted with it is taken here: the driver would log that as a
    warning, though whoever sent them is told of the failure itself."""
    with connection.pipeline() as pipeline:
        try:
            yield
        except Exception:
            with suppress(Error):
                pipeline.sync()
            raise
