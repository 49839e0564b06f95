"""The perfect log of event memory (C), where the spec has it."""

from lamina.adapters.postgres.migrations.script import Script
from lamina.adapters.postgres.row_conditions import row_is_bound
from lamina.adapters.postgres.sql_parts import EVENT_PARTS

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Makes a table for each persona: append-only for everybody, and bound to the transaction's own anchor."""
    script = Script.current()
    for table in script.names.event_tables:
        named = {f"events_{part}": script.of(f"{table}_{part}") for part in EVENT_PARTS}
        script.create(table, "events.sql", events=script.of(table), **named)
        script.run("append_only.sql", table=script.of(table))
        for number in script.partitions(table):
            script.run("append_only_part.sql", partition=script.partition(table, number))
        script.run("row_security.sql", table=script.of(table), row_is_bound=row_is_bound(script.names, table))
