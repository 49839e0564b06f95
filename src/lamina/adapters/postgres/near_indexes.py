"""The HNSW indexes, one for each cell (D3). They are built concurrently, so writers go on while they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from psycopg import Connection
from psycopg.sql import SQL, Composable, Identifier, Literal

from lamina.adapters.postgres.migrations.script import Script
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.sql_parts import Extensions
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.typology import CELLS, Cell

LONGEST_INDEXED: Final = 2_000
"""pgvector's HNSW takes no vectors with more numbers; those are compared one by one."""


def build_near_indexes(
    connection: Connection[Any], names: Names, extensions: Extensions, embedding: EmbeddingChoice
) -> None:
    """Builds those that are not there yet; one that an interrupted build left behind is built anew."""
    if embedding.dimension > LONGEST_INDEXED:
        return
    builder = _Builder(connection, Script(connection, names, extensions), extensions, embedding)
    for cell in CELLS:
        # A partitioned table cannot be indexed concurrently; it takes over the indexes that its partitions have.
        for number in builder.script.partitions("embeddings"):
            builder.build(cell, names.partition("embeddings", number), f"_p{number}")
        builder.build(cell, names.own("embeddings"))


def drop_near_indexes(connection: Connection[Any], names: Names, keeping: Iterable[EmbeddingChoice]) -> None:
    """Drops those of every other model; the partitions' own go with their whole."""
    kept = {names.near_index(cell, one.model) for one in keeping for cell in CELLS}
    table = Identifier(names.schema, names.own("embeddings")).as_string(connection)
    rows = connection.execute(
        """
        SELECT index.relname
        FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_am ON pg_am.oid = index.relam
        WHERE indrelid = %s::regclass AND amname = 'hnsw'
        """,
        [table],
    ).fetchall()
    for (name,) in rows:
        if name.startswith(names.own("near_")) and name not in kept:
            connection.execute(SQL("DROP INDEX IF EXISTS {}").format(Identifier(names.schema, name)))


@dataclass(frozen=True, slots=True)
class _Builder:
    connection: Connection[Any]
    script: Script
    extensions: Extensions
    embedding: EmbeddingChoice

    def build(self, cell: Cell, table: str, part: str = "") -> None:
        schema = self.script.names.schema
        index = self.script.names.near_index(cell, self.embedding.model, part)
        valid = self._valid(Identifier(schema, index))
        if valid:
            return
        if valid is not None:
            self.connection.execute(SQL("DROP INDEX {}").format(Identifier(schema, index)))
        whole_of_parts = bool(self.script.names.partitioned) and not part
        self.script.run(
            "near_index.sql",
            concurrently=SQL("" if whole_of_parts else "CONCURRENTLY"),
            near_index=Identifier(index),
            embeddings_table=Identifier(schema, table),
            sized_vector=self._sized_vector(),
            cell=Literal(str(cell)),
            model=Literal(self.embedding.model),
        )

    def _valid(self, index: Identifier) -> bool | None:
        named = index.as_string(self.connection)
        row = self.connection.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [named]
        ).fetchone()
        return bool(row[0]) if row else None

    def _sized_vector(self) -> Composable:
        return SQL("{}({})").format(Identifier(self.extensions.vector, "vector"), Literal(self.embedding.dimension))
