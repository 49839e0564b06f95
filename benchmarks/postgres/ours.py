"""Lamina's side: migrated by the owner of its tables, used by a role that row security binds."""

from __future__ import annotations

from contextlib import closing

import lamina
from benchmarks.guarding import SPEC
from benchmarks.postgres.server import APPLICATION, OWNER, Database, Server
from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.domain.anchor import Anchor
from lamina.domain.retrieval import EmbeddingChoice
from lamina.ports.embedder import Embedder

MAINTAINED = 1_000
"""Rows that maintenance moves in one transaction."""


def migrated(server: Server, embedder: Embedder) -> Database:
    """A database for the spec, with nothing in it."""
    database = server.database()
    migrate(database, embedder)
    return database


def migrate(database: Database, embedder: Embedder) -> None:
    """As the owner. Running it again builds the indexes that are missing."""
    lamina.migrate(database.url(OWNER), SPEC, embedder, create_canonical=True, grant_to=APPLICATION)


def memory(database: Database, embedder: Embedder) -> lamina.Memory:
    """As an application opens it."""
    return lamina.open(database.url(APPLICATION), SPEC, embedder)


def store(database: Database, embedder: Embedder) -> PostgresStore:
    """What is beneath it, as the same role."""
    choice = EmbeddingChoice(model=embedder.model, dimension=embedder.dimension)
    return open_store(database.url(APPLICATION), SPEC, choice)


def anchor(domain_id: str) -> Anchor:
    """One of the spec's anchors."""
    return SPEC.persistent_anchor.bind({"org_id": "acme", "domain_id": domain_id})


def maintain(database: Database, embedder: Embedder, batch: int = MAINTAINED) -> None:
    """Until nothing is left to do."""
    with closing(store(database, embedder)) as opened:
        while opened.maintain(batch):
            pass
