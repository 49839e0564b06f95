"""What ranking looks at of a record, packed once and not for each recall. Existing rows are written anew."""

from lamina.adapters.postgres.migrations.script import Script

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Adds the column that PostgreSQL itself fills in, and keeps."""
    Script.current().run("sketch.sql")
