"""The canonical table as its owner made it: whether memory can refer to its columns."""

from __future__ import annotations

from typing import Any, Final

from psycopg import Connection

from lamina.domain.errors import SchemaMismatch
from lamina.domain.persistence import CanonicalTable

_TEXTS: Final = ("text", "character varying")
_UUIDS: Final = ("uuid",)
_TYPES: Final = """
    SELECT attname, format_type(coalesce(nullif(typbasetype, 0), pg_type.oid), NULL)
    FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
    WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped
"""


def check_columns(connection: Connection[Any], canonical: CanonicalTable) -> None:
    """Refuses columns that no foreign key of ours can point at. One that is missing is PostgreSQL's to name."""
    table = f"{canonical.schema_name}.{canonical.table}"
    there = dict(connection.execute(_TYPES, [table]).fetchall())
    for column, wanted in _wanted(canonical).items():
        if column in there and there[column] not in wanted:
            raise SchemaMismatch(
                f"column {table}.{column}",
                f"is of type {there[column]}, not {wanted[0]}",
                f"name one of that type in the spec: a generated column ({column}::{wanted[0]}) will do, in a unique"
                " key with the others",
            )


def _wanted(canonical: CanonicalTable) -> dict[str, tuple[str, ...]]:
    texts = (canonical.version_column, canonical.body_column, *canonical.anchor_columns.values())
    return {canonical.id_column: _UUIDS, **dict.fromkeys(texts, _TEXTS)}
