"""Another model's vectors in the place of the store's own: the work of the schema's owner, for all anchors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from psycopg import Cursor
from psycopg.rows import DictRow, dict_row

from lamina.adapters.postgres.errors import About, translated
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.near_indexes import build_near_indexes, drop_near_indexes
from lamina.adapters.postgres.opening import Server
from lamina.adapters.postgres.pool import Borrowing
from lamina.adapters.postgres.reembedding_statements import WALKING, ReembeddingStatements
from lamina.adapters.postgres.statements import Statement
from lamina.adapters.postgres.together import together
from lamina.adapters.postgres.transaction import Binding, Values
from lamina.adapters.postgres.vectors import PackedVector, register
from lamina.domain.errors import WrongModel
from lamina.domain.ids import AnchorId, EmbeddingId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.tier import Tier
from lamina.domain.typology import Cell, Typology
from lamina.ports.reembedding import Unembedded

_TASK: Final = Binding.to_task("reembed")
_WALK: Final = Binding({**_TASK.settings, **WALKING})
_OWNERS: Final = About(permitted_by="run `lamina reembed` as the schema's owner")
_BEFORE_ALL: Final = "00000000-0000-0000-0000-000000000000"
Place = tuple[AnchorId | str, EmbeddingId | str]
Models = tuple[EmbeddingChoice, EmbeddingChoice | None]


class PostgresReembedding:
    """Goes on where it was left: what is done is in the tables."""

    def __init__(self, borrowing: Borrowing, names: Names, embedding: EmbeddingChoice, server: Server) -> None:
        self._borrowing = borrowing
        self._names = names
        self._server = server
        self._statements = ReembeddingStatements.of(names)
        self._place: Place = (_BEFORE_ALL, _BEFORE_ALL)
        self.model = embedding

    def begin(self, following: EmbeddingChoice) -> None:
        """Makes room for the next model's vectors. Raises `WrongModel` while another model is on its way."""
        with self._working() as cursor:
            own, on_its_way = self._models(cursor, self._statements.locked)
            _check_following(following, own, on_its_way)
            self._run(cursor, self._statements.begin, {"model": following.model, "dimension": following.dimension})
        with self._borrowing.idle() as connection:
            build_near_indexes(connection, self._names, self._server.extensions, following)

    def missing(self, limit: int) -> list[Unembedded]:
        """The next records that lack a vector of the next model: those behind the last that was given one first."""
        found = self._missing(limit)
        if not found:
            self._place = (_BEFORE_ALL, _BEFORE_ALL)
            found = self._missing(limit)
        return [_read(row) for row in found]

    def remaining(self) -> int:
        """How many lack one."""
        with self._working() as cursor:
            return self._lacking(cursor, self._models(cursor, self._statements.shared))

    def add(self, records: Sequence[Unembedded], vectors: Sequence[bytes]) -> None:
        """Writes their vectors, all or none; a record that has got one in between, or is gone, is left as it is."""
        with self._working() as cursor:
            wanted = _wanted(self._models(cursor, self._statements.shared))
            given = list(zip(records, vectors, strict=True))
            for one, vector in given:
                wanted.check(f"vector of record {one.memory_id}", wanted.model, vector)
            with together(cursor.connection):
                for one, vector in given:
                    key = {"anchor_id": one.anchor_id, "id": one.embedding_id}
                    new = {"model": wanted.model, "dimension": wanted.dimension}
                    self._run(cursor, self._statements.add, {**key, **new, "vector": PackedVector(vector)})
        if records:
            self._place = (records[-1].anchor_id, records[-1].embedding_id)

    def finish(self) -> bool:
        """Makes the next model the store's own, if nothing lacks a vector of it; writers wait until it has."""
        with self._working() as cursor:
            models = self._models(cursor, self._statements.locked)
            self._run(cursor, self._statements.hold_writers, {})
            if self._lacking(cursor, models):
                return False
            if models[1]:
                self._run(cursor, self._statements.finish, {})
        return True

    def drop_former(self) -> int:
        """Takes away the vectors of other models than the store's and the next, but for a record's only one."""
        with self._working() as cursor:
            models = self._models(cursor, self._statements.shared)
            used = [one for one in models if one]
            asked = {"used": [one.model for one in used], "wanted": _wanted(models).model}
            dropped = self._run(cursor, self._statements.drop, asked).rowcount
        with self._borrowing.idle() as connection:
            drop_near_indexes(connection, self._names, keeping=used)
        return dropped

    @contextmanager
    def _working(self, binding: Binding = _TASK) -> Iterator[Cursor[DictRow]]:
        with self._borrowing.begun(binding) as connection, translated(lambda: _OWNERS):
            cursor = connection.cursor(binary=True, row_factory=dict_row)
            register(cursor, self._server.vector_oid)
            yield cursor

    def _missing(self, limit: int) -> list[DictRow]:
        with self._working(_WALK) as cursor:
            wanted = _wanted(self._models(cursor, self._statements.shared))
            asked = {"wanted": wanted.model, "limit": limit}
            place = {"anchor_id": self._place[0], "id": self._place[1]}
            return self._run(cursor, self._statements.missing, asked | place).fetchall()

    def _lacking(self, cursor: Cursor[DictRow], models: Models) -> int:
        row = self._run(cursor, self._statements.remaining, {"wanted": _wanted(models).model}).fetchone()
        return int(row["lacking"]) if row else 0

    def _models(self, cursor: Cursor[DictRow], statement: Statement) -> Models:
        # Locking asks for the owner's rights too: without it, whoever is not the owner would see nothing left to do.
        row = self._run(cursor, statement, {}).fetchone()
        assert row is not None  # noqa: S101 (migrating wrote it)
        own = EmbeddingChoice(model=row["model"], dimension=row["dimension"])
        if row["next_model"] is None:
            return own, None
        return own, EmbeddingChoice(model=row["next_model"], dimension=row["next_dimension"])

    @staticmethod
    def _run(cursor: Cursor[DictRow], statement: Statement, values: Values) -> Cursor[Any]:
        return cursor.execute(statement.text, values, prepare=False)


def _check_following(following: EmbeddingChoice, own: EmbeddingChoice, on_its_way: EmbeddingChoice | None) -> None:
    if on_its_way is not None and on_its_way != following:
        raise WrongModel(
            "the store",
            f"is on its way to {on_its_way.model} ({on_its_way.dimension} numbers), not to {following.model}",
            f"finish that first: run `lamina reembed` with {on_its_way.model}",
        )
    if following.model == own.model and following.dimension != own.dimension:
        raise WrongModel(
            f"model {following.model}",
            f"gives {following.dimension} numbers, and {own.dimension} in the store's own vectors",
            "give a model of another dimension another name",
        )


def _wanted(models: Models) -> EmbeddingChoice:
    """The model that every record is to have a vector of."""
    own, following = models
    return following or own


def _read(row: DictRow) -> Unembedded:
    tier, _, typology = row["cell"].partition("/")
    cell = Cell(Tier(tier), Typology(typology))
    return Unembedded(row["anchor_id"], row["memory_id"], row["id"], cell, row["body_text"])


if TYPE_CHECKING:
    from lamina.ports.reembedding import Reembedding

    _: type[Reembedding] = PostgresReembedding
