"""What an application's role may do, and nothing else. No role is made here, and no other context gets one (D13)."""

from __future__ import annotations

from typing import Any, Final

from psycopg import Connection
from psycopg.sql import SQL, Composable, Identifier

from lamina.adapters.postgres.connecting import connect
from lamina.adapters.postgres.derived_tables import DERIVED, SUMMED
from lamina.adapters.postgres.errors import translated
from lamina.adapters.postgres.names import Names
from lamina.domain.events import Persona
from lamina.domain.record_row import STATE_COLUMNS
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.persona_store import not_kept

_ERASED: Final = ("body_text", "embedding_id")
_REMOVABLE: Final = ("embeddings", "documents", "postings", "memory", "rule_refs")
"""What an erasure or the end of a scope takes away. Triggers and references refuse it for whatever must stay."""
_ONLY_MAINTAINED: Final = ("postings",)


def grant_access(  # noqa: PLR0913 (each is one thing that an owner lets a role do)
    url: str,
    spec: AgentMemorySpec,
    role: str,
    *,
    keeps_rules: bool = False,
    operator: bool = False,
    dreams: bool = False,
) -> None:
    """As the schema's owner: lets the role that the application connects as read and write this agent's memory.

    `keeps_rules` lets it write the canonical table too: for tests, and where Lamina keeps the rules. `operator` lets it
    list the anchors that have memory, as far as the spec lets a query cross them; `dreams` lets it maintain all of
    them.
    """
    names = Names.of(spec)
    with connect(url) as connection, translated(), connection.transaction():
        _grant(connection, names, Identifier(role), keeps_rules=keeps_rules)
        if operator:
            _on(connection, names, "anchors", SQL("SELECT"), Identifier(role))
        if dreams:
            _run(connection, names, "every_anchor", SQL("uuid, integer"), Identifier(role))
            if names.event_memory:
                _run(connection, names, "all_agents", SQL(""), Identifier(role))


def _grant(connection: Connection[Any], names: Names, role: Composable, *, keeps_rules: bool) -> None:
    whole = Identifier(names.schema)
    connection.execute(SQL("GRANT USAGE ON SCHEMA {} TO {}").format(whole, role))
    for table in ("revision", "meta"):
        _on(connection, names, table, SQL("SELECT"), role)
    for table in names.tables:
        _on(connection, names, table, SQL("SELECT" if table in _ONLY_MAINTAINED else "SELECT, INSERT"), role)
        if table in _REMOVABLE:
            _on(connection, names, table, SQL("DELETE"), role)
    for table in names.prompt_tables:
        _on(connection, names, table, SQL("SELECT, INSERT"), role)
    for persona in Persona if names.event_memory else ():
        _grant_persona(connection, names, persona, role)
    _on(connection, names, "anchors", SQL("INSERT"), role)
    _on(connection, names, "memory", _update(*STATE_COLUMNS, "version", *_ERASED), role)
    if names.contradictions:
        _on(connection, names, "rule_contradictions", _update("status"), role)
    for name in ("mark_indexed", "spread_documents"):
        _run(connection, names, name, SQL("integer"), role)
    if names.canonical:
        _grant_rules(connection, names, role, keeps_rules=keeps_rules)


def grant_actor(url: str, spec: AgentMemorySpec, role: str) -> None:
    """As the schema's owner: lets a role that actor code connects as work with the actor's memory, and nothing else."""
    names = Names.of(spec)
    if not names.event_memory:
        raise not_kept()
    with connect(url) as connection, translated(), connection.transaction():
        connection.execute(SQL("GRANT USAGE ON SCHEMA {} TO {}").format(Identifier(names.schema), Identifier(role)))
        for table in ("revision", "meta"):
            _on(connection, names, table, SQL("SELECT"), Identifier(role))
        _grant_persona(connection, names, Persona.ACTOR, Identifier(role))


def _grant_persona(connection: Connection[Any], names: Names, persona: Persona, role: Composable) -> None:
    _on(connection, names, names.events_of(persona), SQL("SELECT, INSERT"), role)
    _on(connection, names, names.long_term_of(persona), SQL("SELECT, INSERT, {}").format(_update(*DERIVED)), role)
    _on(connection, names, names.short_term_of(persona), SQL("SELECT, INSERT, {}").format(_update(*SUMMED)), role)
    _on(connection, names, "agents", SQL("INSERT"), role)


def _grant_rules(connection: Connection[Any], names: Names, role: Composable, *, keeps_rules: bool) -> None:
    canonical = names.canonical
    assert canonical is not None  # noqa: S101 (the caller checked)
    _on(connection, names, "memory_rules", SQL("SELECT"), role)
    for name, arguments in (("most_held_rule", SQL("text")), ("containment", SQL(""))):
        function = Identifier(names.schema, names.own(name))
        connection.execute(SQL("GRANT EXECUTE ON FUNCTION {}({}) TO {}").format(function, arguments, role))
    connection.execute(SQL("GRANT USAGE ON SCHEMA {} TO {}").format(Identifier(canonical.schema_name), role))
    rights = SQL("SELECT, INSERT" if keeps_rules else "SELECT")
    table = Identifier(canonical.schema_name, canonical.table)
    connection.execute(SQL("GRANT {} ON {} TO {}").format(rights, table, role))


def _update(*columns: str) -> Composable:
    return SQL("UPDATE ({})").format(SQL(", ").join(Identifier(column) for column in columns))


def _run(connection: Connection[Any], names: Names, name: str, takes: Composable, role: Composable) -> None:
    function = Identifier(names.schema, names.own(name))
    connection.execute(SQL("GRANT EXECUTE ON FUNCTION {}({}) TO {}").format(function, takes, role))


def _on(connection: Connection[Any], names: Names, table: str, rights: Composable, role: Composable) -> None:
    named = Identifier(names.schema, names.own(table))
    connection.execute(SQL("GRANT {} ON {} TO {}").format(rights, named, role))
