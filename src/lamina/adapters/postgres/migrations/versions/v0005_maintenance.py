"""What crosses anchors: moving fresh vectors and documents into the indexes, and replacing vectors (D11)."""

from lamina.adapters.postgres.migrations.script import Script

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds the functions, and the only policies that let them see what they move."""
    script = Script.current()
    script.run("mark_indexed.sql")
    script.run("spread_documents.sql")
    script.run("every_anchor.sql")
