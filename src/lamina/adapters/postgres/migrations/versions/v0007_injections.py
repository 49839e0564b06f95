"""What went into prompts."""

from lamina.adapters.postgres.migrations.script import Script
from lamina.adapters.postgres.row_conditions import row_is_bound

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Makes the table: append-only for everybody, and bound to the transaction's own anchor."""
    script = Script.current()
    for table in script.names.prompt_tables:
        script.create(table)
        script.run("append_only.sql", table=script.of(table))
        script.run("row_security.sql", table=script.of(table), row_is_bound=row_is_bound(script.names, table))
