"""The nearest vectors, as SQL: an anchor's few are compared one by one, its many are found by HNSW."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    FromClause,
    Select,
    Text,
    any_,
    bindparam,
    cast,
    func,
    literal_column,
    not_,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.best import LIMIT, looked_up
from lamina.adapters.postgres.column_types import VectorType
from lamina.adapters.postgres.selecting import is_mine, is_selected
from lamina.adapters.postgres.tables import Tables
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.typology import Cell


def nearest(tables: Tables, embedding: EmbeddingChoice, large: Iterable[Cell]) -> Select[Any]:
    """The nearest of the selection. In large cells, what maintenance has indexed is found by the index."""
    by_index = [_indexed(tables, embedding, cell) for cell in sorted(large)]
    # Without large cells, all that there is in the small ones is compared, fresh or not.
    every = union_all(_small(tables), _fresh(tables)) if by_index else _small(tables)
    parts = [_compared(tables, every), *by_index]
    found = union_all(*(select(part.subquery()) for part in parts)).subquery()
    score = (1 - found.c.distance).label("score")
    near = select(found.c.id, score, found.c.session_id, found.c.position)
    return near.order_by(found.c.distance, found.c.valid_at.desc(), found.c.id).limit(LIMIT)


def vectors(tables: Tables) -> Select[Any]:
    """The vectors of some records, of one model."""
    embeddings = tables["embeddings"]
    these = embeddings.c.memory_id == any_(bindparam("ids", type_=ARRAY(UUID)))
    of_model = embeddings.c.model == bindparam("model")
    return select(embeddings.c.memory_id, embeddings.c.vector).where(is_mine(embeddings), these, of_model)


def _compared(tables: Tables, every: Select[Any] | CompoundSelect[Any]) -> Select[Any]:
    # Materialized: left to the planner, HNSW would look far and wide for the few rows of a small anchor.
    compared = every.cte("compared").prefix_with("MATERIALIZED")
    in_order = select(compared).order_by(compared.c.distance).offset(0).subquery("in_order")
    return _of_selected(tables, in_order.c.memory_id, in_order.c.distance)


def _small(tables: Tables) -> Select[Any]:
    # Cell by cell, so that a plan for any cells reads those that are asked for, and not all of the anchor.
    cells = func.unnest(bindparam("small_cells", type_=ARRAY(Text))).table_valued("cell").render_derived(name="small")
    embeddings = tables["embeddings"].alias()
    there = _with_distance(tables, embeddings).where(embeddings.c.cell == cells.c.cell).offset(0).lateral("there")
    return select(there).select_from(cells.join(there, true()))


def _fresh(tables: Tables) -> Select[Any]:
    """What came into large cells since maintenance indexed them."""
    fresh = tables["embeddings"].alias()
    is_large = fresh.c.cell == any_(bindparam("large_cells", type_=ARRAY(Text)))
    return _with_distance(tables, fresh).where(is_large, not_(fresh.c.indexed))


def _indexed(tables: Tables, embedding: EmbeddingChoice, cell: Cell) -> Select[Any]:
    # Each condition and the expression are the partial index's own, to the letter.
    near = tables["embeddings"].alias()
    sized = cast(near.c.vector, VectorType(tables.vector_schema, embedding.dimension))
    covered = (near.c.indexed, near.c.cell == _literal(str(cell)), near.c.model == _literal(embedding.model))
    found = _of_selected(tables, near.c.memory_id, _distance(tables, sized))
    return found.where(is_mine(near), *covered)


def _of_selected(tables: Tables, memory_id: ColumnElement[Any], distance: ColumnElement[Any]) -> Select[Any]:
    # With all equals at the limit: which of those come first is said later, by what became true last.
    kept = looked_up(tables, memory_id, is_selected)
    near = select(memory_id.label("id"), distance.label("distance"), kept).join(kept, true())
    return near.order_by(distance).fetch(LIMIT, with_ties=True)


def _with_distance(tables: Tables, embeddings: FromClause) -> Select[Any]:
    distance = _distance(tables, embeddings.c.vector).label("distance")
    is_comparable = embeddings.c.model == bindparam("model")
    return select(embeddings.c.memory_id, distance).where(is_mine(embeddings), is_comparable)


def _distance(tables: Tables, vector: ColumnElement[Any]) -> ColumnElement[Any]:
    query = bindparam("query", type_=VectorType(tables.vector_schema))
    return vector.op(f'OPERATOR("{tables.vector_schema}".<=>)')(query)


def _literal(text: str) -> ColumnElement[str]:
    """Not a parameter: only a constant proves to the planner that a partial index has every row that is asked for."""
    quoted = text.replace("'", "''").replace("%", "%%")
    return literal_column(f"'{quoted}'")
