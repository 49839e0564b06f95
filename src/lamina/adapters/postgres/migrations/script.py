"""Runs the SQL files, with the spec's names in the place of their placeholders."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

from alembic import op
from psycopg import Connection
from psycopg.sql import SQL, Composable, Identifier, Literal

from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.sql_parts import Extensions, parts_of

REVISIONS: Final = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010")
"""Every revision that this version of Lamina knows, in order."""


class Script:
    """The SQL files of one spec, on one connection."""

    def __init__(self, connection: Connection[Any], names: Names, extensions: Extensions) -> None:
        self.names = names
        self._connection = connection
        self._parts = parts_of(names, extensions)

    @classmethod
    def current(cls) -> Script:
        """The one that Alembic was started with."""
        config = op.get_context().config
        script = config.attributes["script"] if config else None
        if not isinstance(script, cls):
            raise TypeError("run migrations by lamina.adapters.postgres.migrate")
        return script

    def run(self, file: str, **more: Composable) -> None:
        """Runs one file as it stands."""
        self._connection.execute(self.text(file).format(**self._parts, **more))

    def create(self, table: str, file: str | None = None, **more: Composable) -> None:
        """Makes one table from its file, and its partitions if it is one that has them."""
        partitioned = table in self.names.partitioned
        partitioning = SQL("PARTITION BY HASH (anchor_id)") if partitioned else SQL("")
        self.run(file or f"{table}.sql", partitioning=partitioning, **more)
        for number in self.partitions(table):
            self.run(
                "partition.sql",
                table=self.of(table),
                partition=self.partition(table, number),
                partitions=Literal(self.names.partitions),
                remainder=Literal(number),
            )

    def partitions(self, table: str) -> Iterator[int]:
        """The numbers of a table's partitions, if it has any."""
        return iter(range(self.names.partitions) if table in self.names.partitioned else ())

    def partition(self, table: str, number: int) -> Composable:
        """One partition's own name."""
        return Identifier(self.names.schema, self.names.partition(table, number))

    def of(self, table: str) -> Composable:
        """A table's own name, for a file that is run for several of them."""
        return self._parts[table]

    @staticmethod
    def text(file: str) -> SQL:
        """What a file says."""
        text = files("lamina.adapters.postgres.migrations").joinpath("sql", file).read_text(encoding="utf-8")
        return SQL(text)
