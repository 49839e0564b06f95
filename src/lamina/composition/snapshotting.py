"""Copying a store that somebody else may be working on."""

from __future__ import annotations

from lamina.composition.container import checked_url, is_postgres
from lamina.domain.errors import StoreError


def snapshot(url: str, target: str) -> None:
    """Copies a DuckDB file to `target` as it is at one moment, even while this process or another writes to it."""
    if is_postgres(checked_url(url)):
        raise StoreError("a Postgres store", "is not copied by Lamina", "use pg_dump, or connect to it: many can")
    from lamina.adapters.duckdb.store import snapshot as copy_file  # noqa: PLC0415 (its driver is heavy)

    copy_file(url, target)
