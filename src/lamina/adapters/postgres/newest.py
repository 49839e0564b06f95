"""What became true last, as SQL: each cell by its own index (D3), and the last of what they give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Select, literal_column, select, union_all

from lamina.adapters.postgres.best import LIMIT
from lamina.adapters.postgres.selecting import is_mine, is_selected
from lamina.adapters.postgres.tables import Tables
from lamina.domain.typology import Cell


def newest(tables: Tables, cells: Iterable[Cell]) -> Select[Any]:
    """The last of the selection in these cells, with their valid_at."""
    found = union_all(*(select(_of_cell(tables, cell).subquery()) for cell in sorted(cells))).subquery("found")
    return select(found.c.id, found.c.valid_at).order_by(found.c.valid_at.desc(), found.c.id).limit(LIMIT)


def _of_cell(tables: Tables, cell: Cell) -> Select[Any]:
    # Constants, as in the partial index of the cell: a parameter would not prove that it has every row.
    memory = tables["memory"].alias()
    here = (
        memory.c.tier == literal_column(f"'{cell.tier.value}'"),
        memory.c.typology == literal_column(f"'{cell.typology.value}'"),
    )
    chosen = select(memory.c.id, memory.c.valid_at).where(is_mine(memory), *here, is_selected(memory))
    return chosen.order_by(memory.c.valid_at.desc(), memory.c.id).limit(LIMIT)
