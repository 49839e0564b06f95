"""Row security on every table that holds what belongs to an anchor (P15, D13)."""

from lamina.adapters.postgres.migrations.script import Script
from lamina.adapters.postgres.row_conditions import row_is_bound

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Binds each table to the transaction's own anchor. No role is made, and none is granted anything."""
    script = Script.current()
    for table in script.names.tables:
        script.run("row_security.sql", table=script.of(table), row_is_bound=row_is_bound(script.names, table))
    script.run("anchors.sql")
