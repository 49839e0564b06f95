"""What numpy holds: it says what the file says, and ties are broken as the port says."""

from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.adapters.duckdb import by_anchor, postings
from lamina.adapters.duckdb.arrays import Growing, as_texts, halves, halves_of_texts
from lamina.adapters.duckdb.arrivals import Documents, as_bytes, joined
from lamina.adapters.duckdb.by_anchor import ByAnchor
from lamina.adapters.duckdb.open_file import MEMORY
from lamina.adapters.duckdb.postings import Postings
from lamina.adapters.duckdb.store import DuckDBStore, open_store
from lamina.adapters.duckdb.vectors import Vectors
from lamina.domain.bm25 import Counts, weigh
from lamina.domain.errors import DuplicateId, ForbiddenCharacter, ReadOnly
from lamina.domain.ids import AnchorId, MemoryId, SessionId
from lamina.domain.packed_ids import whole
from lamina.domain.record import MemoryRecord, Origin, Tags
from lamina.domain.search import Drawn, Search
from lamina.domain.selection import Selection
from lamina.domain.transitions import archive, tombstone
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.testing.contracts.scope_cleanup import TURN, end, episode
from lamina.testing.samples import DAY, EMBEDDING, SPEC, START, anchor, entry, record, uuid, vector

ALL = Selection(include_retired=True)
WORDS = st.lists(st.sampled_from(["gate", "cite", "door", "数据"]), max_size=6)


@given(ids=st.lists(st.uuids()))
def test_an_id_comes_back_from_its_halves_and_keeps_its_order(ids: list[UUID]) -> None:
    pairs = list(zip(*(half.tolist() for half in halves(ids)), strict=True))
    assert [whole(*pair) for pair in pairs] == ids
    assert [whole(*pair) for pair in sorted(pairs)] == sorted(ids)
    for texts in (as_texts(ids), [str(one) for one in ids]):
        assert list(zip(*(half.tolist() for half in halves_of_texts(texts)), strict=True)) == pairs


def test_what_grows_keeps_what_it_has() -> None:
    grown = Growing(np.int64)
    for number in range(100):
        grown.extend(np.arange(number, number + 7))
    assert grown.filled.tolist() == [one for number in range(100) for one in range(number, number + 7)]
    assert len(grown) == 700
    assert grown.nbytes < 4 * 700 * 8


@given(batches=st.lists(st.lists(WORDS, max_size=5), max_size=8), query=WORDS, fewest=st.sampled_from([0, 3, 100]))
def test_words_are_scored_alike_however_they_came(
    batches: list[list[list[str]]], query: list[str], fewest: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_FEWEST_TO_SORT", fewest)
        held = Postings()
        for batch in batches:
            counted = [{word: document.count(word) for word in dict.fromkeys(document)} for document in batch]
            terms, times = [joined(one) for one in counted], [as_bytes(one.values()) for one in counted]
            held.append(Documents(terms, times, [len(document) for document in batch]))
    documents = [document for batch in batches for document in batch]
    having = {word: sum(word in document for document in documents) for word in query}
    weighing = weigh(query, Counts(sum(map(bool, documents)), sum(map(len, documents)), having))
    expected = {
        place: score
        for place, document in enumerate(documents)
        if (score := weighing.score({word: document.count(word) for word in document}, len(document)))
    }
    assert weigh(query, held.counts(query)) == weighing
    found = held.matching(held.word_by_word(weighing))
    assert dict(zip(found.places.tolist(), found.scores.tolist(), strict=True)) == expected


def test_equal_vectors_are_equally_near_wherever_they_lie() -> None:
    chance = np.random.default_rng(7)
    one, query = (chance.standard_normal(256).astype(np.float32) for _ in range(2))
    held = Vectors(256)
    held.append([one.tobytes()] * 10_007, np.arange(10_007))
    every, few = np.ones(10_007, dtype=np.bool_), np.arange(10_007) % 1_000 == 7
    found = [held.near(query.tobytes(), taken) for taken in (every, few)]
    assert [len(some.places) for some in found] == [10_007, 10]
    assert len(np.unique(np.concatenate([some.scores for some in found]))) == 1, "and beside however many others"


class Weighty:
    """Something of a stated size."""

    nbytes = 10


def test_only_so_much_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_anchor, "MOST_BYTES", 25)
    held, ids = ByAnchor[Weighty](), [AnchorId(uuid(name)) for name in "abc"]
    first = held.get(ids[0], Weighty)
    held.get(ids[1], Weighty)
    assert held.get(ids[0], Weighty) is first
    held.get(ids[2], Weighty)
    assert held.loaded(ids[0]) is first, "it was asked for after the second"
    assert held.loaded(ids[1]) is None
    monkeypatch.setattr(by_anchor, "MOST_BYTES", 5)
    assert held.get(ids[1], Weighty) is held.loaded(ids[1]), "one is held however large it is"
    assert held.loaded(ids[0]) is held.loaded(ids[2]) is None


def answers(store: DuckDBStore) -> list[dict[MemoryId, float]]:
    with store.reading(anchor()) as unit:
        asked = unit.candidates
        return [
            dict(asked.nearest(vector(1), EMBEDDING.model, ALL, 99)),
            dict(asked.matching(["gate", "cite"], ALL, 99)),
            dict(asked.tagged({"who": "a"}, ALL, 99)),
            dict(asked.newest(ALL, 99)),
            _outlined(asked.draw([Search(1, vector(1), EMBEDDING.model, labels=['["who", "a"]'])], 3, ALL)[0]),
            {id_: sum(one) for id_, one in asked.vectors(asked.newest(ALL, 99)).items()},
        ]


def _outlined(drawn: Drawn) -> dict[MemoryId, float]:
    """What is drawn of one and its neighbours, but for the numbers of their sessions."""
    return {one.id: float(hash(one._replace(spot=one.spot % 2**32))) for one in drawn.outlines}


def test_what_was_loaded_is_kept_as_the_file_is() -> None:
    store = open_store(MEMORY, SPEC, EMBEDDING)
    session = SessionId(uuid("session"))
    several = [
        entry(
            record(
                f"fact {number}",
                origin=Origin(session, None, number) if number % 3 else None,
                validity=Validity(START + number * timedelta(hours=1), START + DAY * 9 if number % 2 else None),
                tags=Tags({"who": "ab"[number % 2]}),
                world_version=f"w{number}" if number % 4 else None,
            ),
            1,
            number,
            lexemes=["gate", f"word {number}"],
        )
        for number in range(30)
    ]
    assert answers(store)[0] == {}
    with store.unit(anchor()) as unit:
        unit.records.add([*several, Entry(record("wordless")), entry(episode("seen"), 1, lexemes=["cite"])])
    with store.unit(anchor()) as unit:
        given = {one.record.id: one.record for one in several}
        assert unit.records.get(given) == given
    _compare(store)
    retired = archive(several[4].record, START, "stale")
    assert isinstance(retired, MemoryRecord)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("later"), 1, lexemes=["cite", "cite"])])
        unit.records.change(retired)
    _compare(store)
    erased = tombstone(retired, 0, START, "asked to")
    assert isinstance(erased, MemoryRecord)
    with store.unit(anchor()) as unit:
        unit.records.change(erased)
    assert all(erased.id not in found for found in answers(store))
    _compare(store)
    end(store, TURN)
    assert all(episode("seen").id not in found for found in answers(store))
    _compare(store)
    store.close()


def _compare(store: DuckDBStore) -> None:
    kept = answers(store)
    store._held.shelves.clear()
    assert answers(store) == kept


def test_a_taken_id_in_a_large_batch_is_told() -> None:
    store = open_store(MEMORY, SPEC, EMBEDDING)
    batch = [entry(record(f"fact {number}"), 1) for number in range(20)]
    with store.unit(anchor()) as unit:
        unit.records.add(batch)
    with pytest.raises(DuplicateId, match="is taken"), store.unit(anchor()) as unit:
        unit.records.add(batch)
    store.close()


def test_a_unit_that_reads_loads_and_a_write_in_it_is_told_apart() -> None:
    store = open_store(MEMORY, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
    for count in (1, 20):
        with pytest.raises(ReadOnly, match="unit only reads"), store.reading(anchor()) as unit:
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, 9)) == {record("a").id}
            unit.records.add([entry(record(f"more {number}"), 1) for number in range(count)])
    assert set(answers(store)[0]) == {record("a").id}
    store.close()


def test_an_error_that_undoes_nothing_forgets_nothing() -> None:
    store = open_store(MEMORY, SPEC, EMBEDDING)
    answers(store)
    before = store._held.shelves.loaded(anchor().id)
    for opened in (store.reading, store.unit):
        with pytest.raises(ZeroDivisionError), opened(anchor()) as unit:
            unit.records.get([record("a").id])
            1 / 0  # noqa: B018
    assert store._held.shelves.loaded(anchor().id) is before
    with pytest.raises(ZeroDivisionError), store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
        1 / 0  # noqa: B018
    assert store._held.shelves.loaded(anchor().id) is None
    store.close()


def test_a_lexeme_that_would_part_in_two_is_refused() -> None:
    store = open_store(MEMORY, SPEC, EMBEDDING)
    with pytest.raises(ForbiddenCharacter, match=str(record("a").id)), store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1, lexemes=["ga\x1fte"])])
    with store.unit(anchor()) as unit:
        awkward = Tags({"with\x1fin": "a\x1fb", "who": "a"})
        unit.records.add([entry(record("b", tags=awkward), 1, lexemes=["gate"])])
    store._held.shelves.clear()
    with store.reading(anchor()) as unit:
        assert unit.candidates.tagged(awkward, ALL, 9) == {record("b").id: 1.0}
        assert set(unit.candidates.matching(["gate"], ALL, 9)) == {record("b").id}
    store.close()
