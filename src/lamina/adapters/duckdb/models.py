"""The book of models: which one a file's vectors come from, and which one is to take its place."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.statements import Statements
from lamina.domain.errors import WrongModel
from lamina.domain.retrieval import EmbeddingChoice

MODELS = "lamina_models"


@dataclass(frozen=True, slots=True)
class Models:
    """One agent's page of the book."""

    own: EmbeddingChoice
    following: EmbeddingChoice | None = None

    @property
    def wanted(self) -> EmbeddingChoice:
        """The model that every record is to have a vector of."""
        return self.following or self.own


def claim_model(statements: Statements, names: Names, embedding: EmbeddingChoice) -> None:
    """Remembers which model the file's vectors come from; refuses to open it with another."""
    statements.run(
        f"CREATE TABLE IF NOT EXISTS {MODELS} (agent VARCHAR PRIMARY KEY, model VARCHAR NOT NULL,"
        " dimension INTEGER NOT NULL, next_model VARCHAR, next_dimension INTEGER)"
    )
    statements.run(
        f"INSERT INTO {MODELS} (agent, model, dimension) SELECT ?, ?, ?"
        f" WHERE NOT EXISTS (SELECT 1 FROM {MODELS} WHERE agent = ?)",
        [names.agent, embedding.model, embedding.dimension, names.agent],
    )
    own = read_models(statements, names).own
    if own != embedding:
        raise WrongModel(
            f"store of {names.agent}",
            f"has vectors of {own.model} ({own.dimension} numbers), not of {embedding.model} ({embedding.dimension})",
            "open it with that model, or run `lamina reembed` to change it",
        )


def read_models(statements: Statements, names: Names) -> Models:
    """The agent's page: opening a store wrote it."""
    sql = f"SELECT model, dimension, next_model, next_dimension FROM {MODELS} WHERE agent = ?"
    (row,) = statements.rows(sql, [names.agent])
    own = EmbeddingChoice(model=row["model"], dimension=row["dimension"])
    if row["next_model"] is None:
        return Models(own)
    return Models(own, EmbeddingChoice(model=row["next_model"], dimension=row["next_dimension"]))


def stored_model(statements: Statements, names: Names) -> EmbeddingChoice | None:
    """The model of a file that may never have been opened for this agent."""
    there = statements.rows("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [MODELS])
    agents = [row["agent"] for row in statements.rows(f"SELECT agent FROM {MODELS}")] if there else []
    return read_models(statements, names).own if names.agent in agents else None
