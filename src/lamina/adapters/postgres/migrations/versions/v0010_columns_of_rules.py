"""The guards of the canonical rules take columns of any name, such as `version`."""

from lamina.adapters.postgres.migrations.script import Script

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Writes anew the functions that could not."""
    script = Script.current()
    if script.names.canonical is not None:
        script.run("copied_rule.sql")
        script.run("most_held_rule.sql")
