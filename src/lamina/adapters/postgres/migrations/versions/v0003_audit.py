"""What cannot be removed or rewritten, whoever asks (D10)."""

from lamina.adapters.postgres.migrations.script import Script

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds the triggers that refuse."""
    script = Script.current()
    script.run("durable.sql")
    for table in script.names.append_only:
        script.run("append_only.sql", table=script.of(table))
