"""What the placeholders of the SQL files stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from psycopg.sql import SQL, Composable, Composed, Identifier, Literal

from lamina.adapters.postgres.column_types import ENUMS
from lamina.adapters.postgres.names import PERSONA_SETTING, TASK_SETTING, Names, key_setting
from lamina.adapters.postgres.row_conditions import (
    all_of,
    anchor_is_bound,
    bound_anchor,
    column_of,
    fits_the_pattern,
    keys_are_bound,
)
from lamina.domain.confusables import DRAWN, MEANT, UNSEEN
from lamina.domain.derivation import DerivationStatus
from lamina.domain.event import LONGEST_CONTENT
from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.loop_state import Phase
from lamina.domain.persistence import CanonicalTable
from lamina.domain.typology import CELLS

Parts = dict[str, Composable]

CONSTRAINTS = (
    "across",
    "anchor_only",
    "append_only",
    "append_only_whole",
    "body_bound",
    "contradicted_rule",
    "durable",
    "embeddings_cell",
    "embeddings_dimension",
    "final_body",
    "listed",
    "live_claims",
    "maintenance",
    "memory_held",
    "memory_origins",
    "memory_promoted",
    "memory_rules",
    "memory_sessions",
    "memory_superseded",
    "owner_reads",
    "persona_wall",
    "rule_shadow",
    "rule_shadow_held",
    "validity",
    "version_counts",
    "withdrawn",
)
FUNCTIONS = (
    "all_agents",
    "containment",
    "copied_rule",
    "every_anchor",
    "is_kept",
    "list_anchor",
    "list_agent",
    "mark_indexed",
    "most_held_rule",
    "phrases",
    "refuse_change",
    "refuse_copy",
    "refuse_delete",
    "refuse_rewrite",
    "refuse_unreferring",
    "spread_documents",
    "withdraw",
)

EVENT_PARTS = ("pkey", "ids", "positions", "kinds", "visibilities", "contents", "hashes", "by_time")
"""What a table of events has, of each persona by its own name."""
DERIVED_PARTS = ("pkey", "ids", "event", "statuses", "whole", "phases", "pending", "window", "going_on")
"""What a table of long-term or short-term memory has."""


@dataclass(frozen=True, slots=True)
class Extensions:
    """The schemas that the extensions' functions live in: no search path is relied on."""

    vector: str = "public"
    pg_trgm: str = "public"


def parts_of(names: Names, extensions: Extensions) -> Parts:
    """Everything that any of the files needs, but for what changes from run to run of one file."""
    canonical = _canonical(names.canonical, names.anchor_keys) if names.canonical else {}
    return {
        **_tables(names),
        **{name: Identifier(names.own(name)) for name in CONSTRAINTS},
        **{f"{name}_name": Literal(names.own(name)) for name in (*CONSTRAINTS, "memory")},
        **{name: Identifier(names.schema, names.own(name)) for name in (*FUNCTIONS, *ENUMS, "memory_rules")},
        **_vectors(extensions),
        **_WORDS,
        **canonical,
        "schema": Identifier(names.schema),
        "schema_name": Literal(names.schema),
        "anchor_columns": _declared(names.anchor_keys),
        "anchor_names": _listed(names.anchor_keys),
        "cells": SQL(", ").join(Literal(str(cell)) for cell in CELLS),
        "most_characters": Literal(names.body_bound),
        "containment_share": Literal(names.containment),
        "event_kinds": SQL(", ").join(Literal(kind.value) for kind in EventKind),
        "event_visibilities": SQL(", ").join(Literal(one.value) for one in EventVisibility),
        "longest_content": Literal(LONGEST_CONTENT),
        "anchor_is_bound": anchor_is_bound(),
        "new_is_bound": all_of([anchor_is_bound("NEW"), keys_are_bound(names.anchor_keys, names.anchor_keys, "NEW")]),
        "new_anchor_is_bound": all_of([anchor_is_bound(), keys_are_bound(names.anchor_keys, names.anchor_keys)]),
        "fits_the_pattern": fits_the_pattern(names),
        "task_setting": Literal(TASK_SETTING),
        "persona_setting": Literal(PERSONA_SETTING),
        "bound_anchor": bound_anchor(names.anchor_keys),
        "derivation_statuses": SQL(", ").join(Literal(one.value) for one in DerivationStatus),
        "loop_phases": SQL(", ").join(Literal(one.value) for one in Phase),
    }


def _tables(names: Names) -> Parts:
    parts: Parts = {}
    for name in ("meta", "anchors", *names.tables, *names.event_tables, *names.derived_tables, *names.prompt_tables):
        parts[name] = Identifier(names.schema, names.own(name))
        for end in ("pkey", "memory", "other_memory", "rule", "decision", "contradiction", "against"):
            parts[f"{name}_{end}"] = Identifier(names.own(f"{name}_{end}"))
        for end in ("of_memory", "of_rule", "of_source", "other", "cells", "fresh", "lengths", "in_order", "by_key"):
            parts[f"{name}_{end}"] = Identifier(names.own(f"{name}_{end}"))
        for end in (*EVENT_PARTS, "by_loop") if name in names.event_tables else DERIVED_PARTS:
            parts[f"{name}_{end}"] = Identifier(names.own(f"{name}_{end}"))
    return parts


def _vectors(extensions: Extensions) -> Parts:
    return {
        "vector_type": Identifier(extensions.vector, "vector"),
        "vector_dims": Identifier(extensions.vector, "vector_dims"),
        "cosine_ops": Identifier(extensions.vector, "vector_cosine_ops"),
        "trigram_schema": Identifier(extensions.pg_trgm),
        "trigram_ops": Identifier(extensions.pg_trgm, "gist_trgm_ops"),
        "similarity": Identifier(extensions.pg_trgm, "similarity"),
    }


def _canonical(canonical: CanonicalTable, keys: Sequence[str]) -> Parts:
    columns = [canonical.anchor_columns[key] for key in keys]
    return {
        "canonical_schema": Identifier(canonical.schema_name),
        "canonical": Identifier(canonical.schema_name, canonical.table),
        "canonical_pkey": Identifier(f"{canonical.table}_pkey"),
        "canonical_trigrams": Identifier(f"{canonical.table}_trigrams"),
        "canonical_anchor_columns": _declared(columns),
        "canonical_anchor_names": _listed(columns),
        "canonical_key": _listed([*columns, canonical.id_column, canonical.version_column]),
        "canonical_is_bound": keys_are_bound(keys, columns),
        "rule_id": Identifier(canonical.id_column),
        "rule_version": Identifier(canonical.version_column),
        "rule_body": Identifier(canonical.body_column),
        "rule_is_of_ref": _same(columns, keys, "ref"),
        "canonical_phrases": Identifier(f"{canonical.table}_phrases"),
        "rule_key": _joined([column_of(column, None) for column in columns]),
        "bound_key": _joined([SQL("current_setting({}, true)").format(Literal(key_setting(key))) for key in keys]),
    }


# How words are told, as in `lamina.domain.words`.
_WORDS: Final[Parts] = {
    "unseen": Literal("[" + "".join(f"\\U{first:08X}-\\U{last:08X}" for first, last in UNSEEN) + "]"),
    "drawn": Literal(DRAWN),
    "meant": Literal(MEANT),
}


def _joined(values: Sequence[Composable]) -> Composable:
    """An anchor's own seed: rules of two anchors have no phrase in common in the index."""
    return SQL("pg_catalog.hashtextextended({}, 0)").format(SQL(" || chr(31) || ").join(values))


def _same(columns: Sequence[str], keys: Sequence[str], row: str) -> Composable:
    pairs = zip(columns, keys, strict=True)
    return all_of(SQL("{} = {}").format(column_of(column, "rule"), column_of(key, row)) for column, key in pairs)


def _declared(names: Sequence[str]) -> Composed:
    return SQL(",\n    ").join(SQL("{} text NOT NULL").format(Identifier(name)) for name in names)


def _listed(names: Sequence[str]) -> Composed:
    return SQL(", ").join(Identifier(name) for name in names)
