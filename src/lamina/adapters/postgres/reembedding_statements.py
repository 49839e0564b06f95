"""What is asked while one model takes the place of another, of all anchors at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from psycopg.sql import SQL, Identifier

from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.statements import Statement

_MODELS: Final = SQL("SELECT model, dimension, next_model, next_dimension FROM {meta} FOR SHARE")
_LOCKED: Final = SQL("SELECT model, dimension, next_model, next_dimension FROM {meta} FOR UPDATE")
_BEGIN: Final = SQL("UPDATE {meta} SET next_model = %(model)s, next_dimension = %(dimension)s")
_FINISH: Final = SQL("""
    UPDATE {meta} SET model = next_model, dimension = next_dimension, next_model = NULL, next_dimension = NULL
""")
# Whoever is writing vectors ends first, and whoever comes after waits: nothing is written while it is counted.
_HOLD_WRITERS: Final = SQL("LOCK TABLE {embeddings} IN SHARE ROW EXCLUSIVE MODE")

# The key has an embedding's vectors of all models side by side, so that one walk along it tells which lack one: in the
# order of the key, from where the last batch ended, and no further than is asked for.
_MISSING: Final = SQL("""
    WITH page AS MATERIALIZED (
        SELECT anchor_id, id, min(model) AS model
        FROM {embeddings}
        WHERE (anchor_id, id) > (%(anchor_id)s::uuid, %(id)s::uuid)
        GROUP BY anchor_id, id
        HAVING NOT bool_or(model = %(wanted)s)
        ORDER BY anchor_id, id
        LIMIT %(limit)s
    )
    SELECT other.anchor_id, other.id, other.memory_id, other.cell, memory.body_text
    FROM page
    JOIN {embeddings} AS other
        ON other.anchor_id = page.anchor_id AND other.id = page.id AND other.model = page.model
    JOIN {memory} AS memory ON memory.anchor_id = other.anchor_id AND memory.id = other.memory_id
    ORDER BY other.anchor_id, other.id
""")
# The planner takes a condition on a setting for one that few rows fit, and would read everything to sort it.
WALKING: Final = dict.fromkeys(
    ("enable_seqscan", "enable_bitmapscan", "enable_sort", "enable_hashagg", "enable_hashjoin", "enable_mergejoin"),
    "off",
)
_REMAINING: Final = SQL("""
    SELECT count(*) AS lacking
    FROM (
        SELECT FROM {embeddings}
        GROUP BY anchor_id, id
        HAVING NOT bool_or(model = %(wanted)s)
    ) AS each
""")
# The record is locked against an erasure: either that sees this vector and takes it away, or this sees the erasure.
_ADD: Final = SQL("""
    INSERT INTO {embeddings} (anchor_id, id, memory_id, cell, model, dimension, vector, indexed)
    SELECT other.anchor_id, other.id, other.memory_id, other.cell, %(model)s, %(dimension)s, %(vector)s, false
    FROM {embeddings} AS other
    JOIN {memory} AS memory ON memory.anchor_id = other.anchor_id AND memory.id = other.memory_id
    WHERE other.anchor_id = %(anchor_id)s AND other.id = %(id)s AND memory.tombstoned_at IS NULL
    LIMIT 1
    FOR SHARE OF memory
    ON CONFLICT DO NOTHING
""")
# What is the only vector of its record stays: somebody wrote it with the former model after the change.
_DROP: Final = SQL("""
    DELETE FROM {embeddings} AS former
    WHERE former.model <> ALL (%(used)s) AND EXISTS (
        SELECT FROM {embeddings} AS new
        WHERE new.anchor_id = former.anchor_id AND new.id = former.id AND new.model = %(wanted)s
    )
""")


@dataclass(frozen=True, slots=True)
class ReembeddingStatements:
    """The statements of one spec."""

    shared: Statement
    locked: Statement
    begin: Statement
    finish: Statement
    hold_writers: Statement
    missing: Statement
    remaining: Statement
    add: Statement
    drop: Statement

    @classmethod
    def of(cls, names: Names) -> ReembeddingStatements:
        """The statements for these names."""
        tables = {name: Identifier(names.schema, names.own(name)) for name in ("meta", "embeddings", "memory")}
        texts = (_MODELS, _LOCKED, _BEGIN, _FINISH, _HOLD_WRITERS, _MISSING, _REMAINING, _ADD, _DROP)
        return cls(*(Statement.written(text.format(**tables)) for text in texts))
