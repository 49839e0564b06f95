"""What every store keeps its word on while another model takes the place of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from lamina.domain.errors import WrongModel
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.selection import Selection
from lamina.ports.records import Entry
from lamina.ports.reembedding import Reembedding, Unembedded
from lamina.ports.store import Store
from lamina.testing.samples import EMBEDDING, anchor, entry, record, vector

NEXT: Final = EmbeddingChoice(model="next", dimension=8)
ALL: Final = Selection()
Reopen = Callable[[EmbeddingChoice], Store]


def _vectors(records: list[Unembedded]) -> list[bytes]:
    return [vector(1) + bytes(16) for _ in records]


def _all(reembedding: Reembedding, batch: int = 2) -> None:
    while found := reembedding.missing(batch):
        reembedding.add(found, _vectors(found))


class ReembeddingContract:
    """The old vectors are found until the new ones are all there, and nothing that was done is done again.

    Besides `store`, a fixture `reopen` opens the same store again, with another model; it may take the place of the
    first. `store` is opened as whoever owns it: re-embedding is the owner's.
    """

    def test_what_lacks_a_vector_of_the_next_model_is_given_one(self, store: Store, reopen: Reopen) -> None:
        mine, theirs = record("a"), record("b", anchor("other"))
        for fact in (mine, theirs):
            with store.unit(fact.scope.anchor) as unit:
                unit.records.add([entry(fact, 1), Entry(record("never embedded", fact.scope.anchor))])
        reembedding = store.reembedding
        assert reembedding.model == EMBEDDING
        reembedding.begin(NEXT)
        assert reembedding.remaining() == 2
        found = {(one.anchor_id, one.memory_id, one.body) for one in reembedding.missing(9)}
        assert found == {(one.scope.anchor.id, one.id, one.body) for one in (mine, theirs)}
        assert not reembedding.finish(), "two lack one"
        _all(reembedding, batch=1)
        assert reembedding.remaining() == 0
        assert reembedding.finish()
        with pytest.raises(WrongModel, match="reembed"):
            reopen(EMBEDDING)
        with reopen(NEXT).unit(anchor()) as unit:
            assert unit.candidates.nearest(vector(1) + bytes(16), NEXT.model, ALL, limit=9) == {
                mine.id: pytest.approx(1.0)
            }

    def test_recall_works_throughout(self, store: Store) -> None:
        reembedding = store.reembedding

        def found() -> int:
            with store.unit(anchor()) as unit:
                return len(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9))

        with store.unit(anchor()) as unit:
            unit.records.add([entry(record(name), 1) for name in ("a", "b", "c")])
        reembedding.begin(NEXT)
        assert found() == 3
        first = reembedding.missing(1)
        reembedding.add(first, _vectors(first))
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record("written meanwhile"), 1)])
        assert found() == 4
        assert reembedding.remaining() == 3
        _all(reembedding)
        assert reembedding.finish()
        assert found() == 4, "whoever has it open goes on with the former model"

    def test_it_goes_on_where_it_was_left(self, store: Store, reopen: Reopen) -> None:
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record(name), 1) for name in ("a", "b", "c")])
        store.reembedding.begin(NEXT)
        first = store.reembedding.missing(1)
        store.reembedding.add(first, _vectors(first))
        store.reembedding.add(first, _vectors(first))
        again = reopen(EMBEDDING).reembedding
        again.begin(NEXT)
        assert again.remaining() == 2
        with pytest.raises(WrongModel, match="next"):
            again.begin(EmbeddingChoice(model="a third", dimension=4))
        _all(again)
        assert again.finish()

    def test_the_former_vectors_go_when_they_are_told_to(self, store: Store, reopen: Reopen) -> None:
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record("a"), 1)])
        store.reembedding.begin(NEXT)
        assert store.reembedding.drop_former() == 0, "both are in use"
        _all(store.reembedding)
        assert store.reembedding.finish()
        last = reopen(NEXT)
        assert last.reembedding.drop_former() == 1
        assert last.reembedding.drop_former() == 0
        with last.unit(anchor()) as unit:
            assert len(unit.candidates.nearest(vector(1) + bytes(16), NEXT.model, ALL, limit=9)) == 1
        last.reembedding.begin(EMBEDDING)
        assert last.reembedding.remaining() == 1, "and back again"

    def test_what_is_written_with_the_former_model_afterwards_is_not_lost(self, store: Store, reopen: Reopen) -> None:
        store.reembedding.begin(NEXT)
        assert store.reembedding.finish(), "there was nothing to do"
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record("late"), 1)])
        last = reopen(NEXT)
        assert last.reembedding.drop_former() == 0, "it is the only vector of its record"
        last.reembedding.begin(NEXT)
        assert last.reembedding.remaining() == 1
        _all(last.reembedding)
        assert last.reembedding.finish()
        with last.unit(anchor()) as unit:
            assert len(unit.candidates.nearest(vector(1) + bytes(16), NEXT.model, ALL, limit=9)) == 1
        assert last.reembedding.drop_former() == 1

    def test_a_vector_of_another_dimension_is_refused(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record("a"), 1)])
        store.reembedding.begin(NEXT)
        with pytest.raises(WrongModel, match="next"):
            store.reembedding.add(store.reembedding.missing(1), [vector(1)])
        assert store.reembedding.remaining() == 1
