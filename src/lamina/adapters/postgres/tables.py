"""The tables as SQLAlchemy knows them, generated from the spec. The migrations make them; a test compares the two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import MetaData, Table

from lamina.adapters.postgres import derived_tables, event_tables, memory_tables, provenance_tables
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.table_maker import TableMaker

_MAKING: Final[dict[str, Callable[[TableMaker], Table]]] = {
    "meta": memory_tables.meta,
    "memory": memory_tables.memory,
    "embeddings": memory_tables.embeddings,
    "documents": memory_tables.documents,
    "postings": memory_tables.postings,
    "anchors": memory_tables.anchors,
    "action_links": provenance_tables.action_links,
    "decisions": provenance_tables.decisions,
    "decision_records": provenance_tables.decision_records,
    "rule_refs": provenance_tables.rule_refs,
    "corroborations": provenance_tables.corroborations,
    "rule_contradictions": provenance_tables.rule_contradictions,
    "contradiction_history": provenance_tables.contradiction_history,
    "injections": provenance_tables.injections,
    "actor_events": event_tables.actor_events,
    "subconscious_events": event_tables.subconscious_events,
    "agents": derived_tables.agents,
    "actor_ltm": derived_tables.actor_ltm,
    "actor_stm": derived_tables.actor_stm,
    "subconscious_ltm": derived_tables.subconscious_ltm,
    "subconscious_stm": derived_tables.subconscious_stm,
}


def _names(names: Names) -> tuple[str, ...]:
    return ("meta", "anchors", *names.tables, *names.event_tables, *names.derived_tables, *names.prompt_tables)


class Tables:
    """All of one agent's tables, by name; `canonical` is the table of rules that the spec names."""

    def __init__(self, names: Names, vector_schema: str = "public") -> None:
        self.names = names
        self.vector_schema = vector_schema
        self.metadata = MetaData(schema=names.schema)
        make = TableMaker(names, vector_schema, self.metadata)
        self._tables = {name: _MAKING[name](make) for name in _names(names)}
        if names.canonical:
            self._tables["canonical"] = make.canonical(names.canonical)

    def __getitem__(self, name: str) -> Table:
        return self._tables[name]
