"""Another model in the place of a file's own, in short units: searches go on in between, with the vectors there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from lamina.adapters.duckdb.models import MODELS, Models, read_models
from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.sending import column_of
from lamina.adapters.duckdb.statements import INCOMING, Statements
from lamina.domain.errors import WrongModel
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology
from lamina.ports.reembedding import Unembedded


class DuckDBReembedding:
    """Works on every anchor. `unit` gives a transaction on the whole file, `forget` lets go of what numpy holds."""

    def __init__(
        self,
        names: Names,
        model: EmbeddingChoice,
        unit: Callable[[], AbstractContextManager[Statements]],
        forget: Callable[[], None],
    ) -> None:
        self.model = model
        self._names = names
        self._unit = unit
        self._forget = forget
        self._embeddings, self._memory = names.table("embeddings"), names.table("memory")

    def begin(self, following: EmbeddingChoice) -> None:
        """Makes room for the next model's vectors."""
        with self._unit() as statements:
            models = read_models(statements, self._names)
            if following == models.wanted:
                return
            if models.following or following.model == models.own.model:
                there = models.wanted
                raise WrongModel(
                    f"store of {self._names.agent}",
                    f"cannot change to {following.model}: {there.model} ({there.dimension} numbers) is "
                    + ("on its way" if models.following else "its own"),
                    "finish that first" if models.following else "give a model of another dimension its own name",
                )
            statements.run(
                f"UPDATE {MODELS} SET next_model = ?, next_dimension = ? WHERE agent = ?",
                [following.model, following.dimension, self._names.agent],
            )

    def missing(self, limit: int) -> list[Unembedded]:
        """The next records that lack a vector of the next model."""
        with self._unit() as statements:
            rows = statements.rows(
                f"SELECT m.anchor_id, m.id, e.id AS embedding_id, m.tier, m.typology, m.body_text"
                f" FROM ({self._lacking()} ORDER BY ALL LIMIT ?) e"
                f" JOIN {self._memory} m ON m.anchor_id = e.anchor_id AND m.id = e.memory_id"
                f" ORDER BY m.anchor_id, embedding_id",
                [read_models(statements, self._names).wanted.model, limit],
            )
        return [
            Unembedded(
                row["anchor_id"],
                row["id"],
                row["embedding_id"],
                Cell(Tier(row["tier"]), Typology(row["typology"])),
                row["body_text"],
            )
            for row in rows
        ]

    def remaining(self) -> int:
        """How many lack one."""
        with self._unit() as statements:
            return self._remaining(statements, read_models(statements, self._names))

    def add(self, records: Sequence[Unembedded], vectors: Sequence[bytes]) -> None:
        """Writes their vectors, all or none; what has got one in between, or is gone, is left as it is."""
        with self._unit() as statements:
            wanted = read_models(statements, self._names).wanted
            for one, vector in zip(records, vectors, strict=True):
                wanted.check(f"vector of record {one.memory_id}", wanted.model, vector)
            if not records:
                return
            columns = {
                "anchor_id": column_of([one.anchor_id for one in records]),
                "id": column_of([one.embedding_id for one in records]),
                "vector": column_of(vectors),
            }
            statements.run_on(
                columns,
                f"INSERT INTO {self._embeddings} SELECT l.anchor_id, l.id, l.memory_id, ?, ?, i.vector"
                f" FROM ({self._lacking()}) l JOIN {INCOMING} i ON i.anchor_id = l.anchor_id AND i.id = l.id",
                [wanted.model, wanted.dimension, wanted.model],
            )
            if wanted == self.model:
                self._forget()

    def finish(self) -> bool:
        """Makes the next model the store's own, if nothing lacks a vector of it."""
        with self._unit() as statements:
            models = read_models(statements, self._names)
            if self._remaining(statements, models):
                return False
            statements.run(
                f"UPDATE {MODELS} SET model = ?, dimension = ?, next_model = NULL, next_dimension = NULL"
                f" WHERE agent = ?",
                [models.wanted.model, models.wanted.dimension, self._names.agent],
            )
            return True

    def drop_former(self) -> int:
        """Takes away the vectors of other models than the store's and the next, but for a record's only one."""
        with self._unit() as statements:
            models = read_models(statements, self._names)
            new = f"SELECT anchor_id, id FROM {self._embeddings} WHERE model = ?"
            former = f"model NOT IN (?, ?) AND (anchor_id, id) IN ({new})"
            kept = [models.own.model, models.wanted.model, models.wanted.model]
            count: int = statements.rows(f"SELECT count(*) AS n FROM {self._embeddings} WHERE {former}", kept)[0]["n"]
            statements.run(f"DELETE FROM {self._embeddings} WHERE {former}", kept)
            self._forget()
            return count

    def _lacking(self) -> str:
        """The embeddings that there is none of a model for, each once."""
        return (
            f"SELECT DISTINCT anchor_id, id, memory_id FROM {self._embeddings} ANTI JOIN"
            f" (SELECT anchor_id, id FROM {self._embeddings} WHERE model = ?) USING (anchor_id, id)"
        )

    def _remaining(self, statements: Statements, models: Models) -> int:
        counted = statements.rows(f"SELECT count(*) AS n FROM ({self._lacking()})", [models.wanted.model])
        remaining: int = counted[0]["n"]
        return remaining


if TYPE_CHECKING:
    from lamina.ports.reembedding import Reembedding

    _: type[Reembedding] = DuckDBReembedding
