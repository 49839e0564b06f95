"""What cannot be removed or rewritten, whoever asks (D10)."""

from lamina.adapters.postgres.migrations.script import Script
from lamina.adapters.postgres.row_conditions import old_is_evidence

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds the triggers that refuse."""
    script = Script.current()
    script.run("durable.sql", old_is_evidence=old_is_evidence(script.names))
    if script.names.canonical:
        script.run("durable_refs.sql")
    for table in script.names.append_only:
        script.run("append_only.sql", table=script.of(table))
