"""The records and what is kept about them (D3, D4, D5, D7, D9, D10, D11)."""

from psycopg.sql import Identifier, Literal

from lamina.adapters.postgres.migrations.script import Script
from lamina.domain.typology import CELLS

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the tables that need nothing but themselves."""
    script = Script.current()
    script.run("types.sql")
    for table in ("memory", "embeddings", "documents", "postings", "action_links", "decisions"):
        script.create(table)
    for cell in CELLS:
        script.run(
            "cell_index.sql",
            cell_index=Identifier(script.names.cell_index(cell)),
            cell_tier=Literal(cell.tier.value),
            cell_typology=Literal(cell.typology.value),
        )
    if script.names.corroborations:
        script.run("corroborations.sql")
    if script.names.contradictions:
        script.run("contradictions.sql")
