"""What tables are made of: columns of a kind, and keys that are named as the migrations name them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    Constraint,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)
from sqlalchemy.dialects.postgresql import TIMESTAMP, UUID

from lamina.adapters.postgres.column_types import enum_type
from lamina.adapters.postgres.names import Names
from lamina.domain.persistence import CanonicalTable

AnyColumn = Column[Any]


def uuids(*names: str, null: bool = False) -> list[AnyColumn]:
    """Columns of ids."""
    return [Column(name, UUID, nullable=null) for name in names]


def texts(*names: str, null: bool = False) -> list[AnyColumn]:
    """Columns of text."""
    return [Column(name, Text, nullable=null) for name in names]


def instants(*names: str, null: bool = False) -> list[AnyColumn]:
    """Columns of time."""
    return [Column(name, TIMESTAMP(timezone=True), nullable=null) for name in names]


def integers(*names: str, null: bool = False) -> list[AnyColumn]:
    """Columns of whole numbers."""
    return [Column(name, Integer, nullable=null) for name in names]


@dataclass(frozen=True, slots=True)
class TableMaker:
    """Makes the tables of one spec."""

    names: Names
    vector_schema: str
    metadata: MetaData

    def table(self, name: str, columns: Iterable[AnyColumn], key: Iterable[str], *more: Constraint) -> Table:
        """One of the agent's tables."""
        primary = PrimaryKeyConstraint(*key, name=self.names.own(f"{name}_pkey"))
        return Table(self.names.own(name), self.metadata, *columns, primary, *more)

    def check(self, name: str, condition: str) -> CheckConstraint:
        """A condition on every row, by the name that errors are told by."""
        return CheckConstraint(condition, name=self.names.own(name))

    def canonical(self, canonical: CanonicalTable) -> Table:
        """The table of rules, as far as the spec knows it."""
        keys = [canonical.anchor_columns[key] for key in self.names.anchor_keys]
        columns = [*texts(*keys), *uuids(canonical.id_column), *texts(canonical.version_column, canonical.body_column)]
        primary = PrimaryKeyConstraint(*keys, canonical.id_column, canonical.version_column)
        return Table(canonical.table, self.metadata, *columns, primary, schema=canonical.schema_name)

    def enum(self, name: str, column: str | None = None) -> AnyColumn:
        """A column of one of the domain's closed vocabularies."""
        return Column(column or name, enum_type(name, self.names.schema, self.names.own(name)), nullable=False)

    def keys(self) -> list[AnyColumn]:
        """The anchor's own columns."""
        return texts(*self.names.anchor_keys)

    def to_memory(self, table: str, column: str = "memory_id") -> ForeignKeyConstraint:
        """A reference to a record of the same anchor."""
        name = f"{table}_{column.removesuffix('_id')}"
        return self.foreign(name, ("anchor_id", column), self.columns_of("memory", "anchor_id", "id"))

    def to_rule(self, name: str, canonical: CanonicalTable) -> ForeignKeyConstraint:
        """A reference to one version of a rule of the same anchor."""
        keys = [canonical.anchor_columns[key] for key in self.names.anchor_keys]
        target = [*keys, canonical.id_column, canonical.version_column]
        whole = f"{canonical.schema_name}.{canonical.table}"
        return self.foreign(
            name, (*self.names.anchor_keys, "rule_id", "rule_version"), [f"{whole}.{column}" for column in target]
        )

    def foreign(self, name: str, columns: Iterable[str], target: Iterable[str]) -> ForeignKeyConstraint:
        """A foreign key. Nothing that is referred to can be deleted."""
        return ForeignKeyConstraint(list(columns), list(target), name=self.names.own(name), ondelete="RESTRICT")

    def columns_of(self, table: str, *columns: str) -> list[str]:
        """Columns of one of the agent's tables, to refer to."""
        return [f"{self.names.schema}.{self.names.own(table)}.{column}" for column in columns]
