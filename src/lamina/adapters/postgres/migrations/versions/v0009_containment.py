"""The refusal of half quotes and padded copies of a rule (P13), where the spec names a canonical table."""

from lamina.adapters.postgres.migrations.script import Script

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Adds the second guard, beside that of D8."""
    script = Script.current()
    if script.names.canonical is None:
        return
    script.run("containment.sql")
    script.run("rule_containment.sql")
