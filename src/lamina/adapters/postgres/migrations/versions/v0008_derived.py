"""Long-term and short-term memory (C), where the spec has event memory: for each persona apart, behind a wall."""

from psycopg.sql import Literal

from lamina.adapters.postgres.migrations.script import Script
from lamina.adapters.postgres.names import WALLED
from lamina.adapters.postgres.row_conditions import row_is_bound
from lamina.adapters.postgres.sql_parts import DERIVED_PARTS
from lamina.domain.events import Persona

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Makes the derived tables of each persona, bound to the transaction's own anchor."""
    script = Script.current()
    if not script.names.event_memory:
        return
    script.run("agents.sql")
    for persona in Persona:
        _derive(script, persona)
    for table in script.names.persona_tables(WALLED):
        script.run("persona_wall.sql", table=script.of(table))


def _derive(script: Script, persona: Persona) -> None:
    names = script.names
    events, long_term, short_term = (script.of(table) for table in names.persona_tables(persona))
    named = {f"events_{part}": script.of(f"{names.events_of(persona)}_{part}") for part in ("by_loop",)}
    for table, kind in ((names.long_term_of(persona), "long_term"), (names.short_term_of(persona), "short_term")):
        parts = {f"{kind}_{part}": script.of(f"{table}_{part}") for part in DERIVED_PARTS}
        whole = {"events": events, "long_term": long_term, "short_term": short_term, **named, **parts}
        script.create(table, f"{kind}.sql", **whole)
        script.run("row_security.sql", table=script.of(table), row_is_bound=row_is_bound(names, table))
    script.run("agent_listed.sql", events=events, persona=Literal(persona.value))
