"""The one act that crosses anchors: moving fresh vectors into the indexes (D11)."""

from lamina.adapters.postgres.migrations.script import Script

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds the function, and the only policy that lets it see what it marks."""
    Script.current().run("mark_indexed.sql")
