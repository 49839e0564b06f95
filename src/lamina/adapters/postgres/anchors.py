"""Which anchors have memory, for operators (P15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from psycopg import Connection
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Composed, Identifier
from sqlalchemy import Text, bindparam, or_, select

from lamina.adapters.postgres.errors import About, translated
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.tables import Tables
from lamina.domain.anchor import Anchor, AnchorPattern
from lamina.domain.ids import AnchorId

DREAMING: Final = About(permitted_by="let the owner of the schema run `lamina migrate --grant-dream-to ROLE`")
OPERATING: Final = About(permitted_by="let the owner of the schema run `lamina migrate --grant-across-to ROLE`")


@dataclass(frozen=True, slots=True)
class AnchorStatements:
    """What is asked of the table of anchors. The table's own policy lets nothing else be seen."""

    keys: tuple[str, ...]
    fitting: Statement
    every: Composed

    @classmethod
    def of(cls, tables: Tables) -> AnchorStatements:
        """The statements of one spec."""
        table, keys = tables["anchors"], tables.names.anchor_keys
        asked = {key: bindparam(f"key_{key}", type_=Text) for key in keys}
        fits = [or_(asked[key].is_(None), table.c[key] == asked[key]) for key in keys]
        every = SQL("SELECT * FROM {}(%(after)s, %(most)s)").format(
            Identifier(tables.names.schema, tables.names.own("every_anchor"))
        )
        return cls(keys, Statement.of(select(*(table.c[key] for key in keys)).where(*fits)), every)

    def after(self, connection: Connection[Any], anchor_id: AnchorId | None, limit: int) -> list[Anchor]:
        """The anchors that come after one, in the order of their ids."""
        with translated(lambda: DREAMING):
            cursor = connection.cursor(row_factory=dict_row)
            rows = cursor.execute(self.every, {"after": anchor_id, "most": limit}, prepare=False).fetchall()
        return [self._read(row) for row in rows]

    def _read(self, row: DictRow) -> Anchor:
        return Anchor(tuple((key, row[key]) for key in self.keys))

    def find(self, connection: Connection[Any], pattern: AnchorPattern) -> list[Anchor]:
        """The anchors that fit, in the order of their parts."""
        values = {f"key_{name}": value for name, value in pattern.parts}
        with translated(lambda: OPERATING):
            rows = connection.cursor(row_factory=dict_row).execute(self.fitting.text, values, prepare=False).fetchall()
        return sorted(map(self._read, rows), key=lambda one: one.parts)
