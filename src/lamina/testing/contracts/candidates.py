"""What every search for candidates keeps its word on."""

from __future__ import annotations

import pytest

from lamina.domain.bm25 import Counts, weigh
from lamina.domain.corroboration import Corroboration, SourceType
from lamina.domain.errors import WrongModel
from lamina.domain.ids import CorroborationId, MemoryId, SessionId
from lamina.domain.mentions import Mentions
from lamina.domain.neighbourhood import closing
from lamina.domain.record import MemoryRecord, Origin, Tags
from lamina.domain.scope import SessionScope
from lamina.domain.search import Drawn, Search
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.state import Candidate
from lamina.domain.terms import label
from lamina.domain.tier import Tier
from lamina.domain.transitions import archive
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.samples import DAY, EMBEDDING, START, anchor, entry, outline_of, record, uuid, vector, without_spots

ALL = Selection()


class CandidatesContract:
    """A search removes rows, finds the nearest of the rest, and never comes back short."""

    def test_the_nearest_come_with_their_cosine(self, store: Store) -> None:
        same, near, far = record("same"), record("near"), record("far")
        with store.unit(anchor()) as unit:
            unit.records.add([entry(same, 1), entry(near, 1, 1), entry(far, 0, 1), Entry(record("no vector"))])
        with store.unit(anchor()) as unit:
            found = unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=2)
            assert found == {same.id: pytest.approx(1.0, abs=1e-6), near.id: pytest.approx(0.5**0.5, abs=1e-6)}
            everything = unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=10)
            assert set(everything) == {same.id, near.id, far.id}

    def test_vectors_come_back_as_they_went_in(self, store: Store) -> None:
        given = entry(record("a"), 1, 2)
        with store.unit(anchor()) as unit:
            unit.records.add([given, Entry(record("no vector"))])
        assert given.embedding is not None
        with store.unit(anchor()) as unit:
            asked = [record(name).id for name in ("a", "no vector", "nowhere")]
            assert unit.candidates.vectors(asked) == {given.record.id: given.embedding.vector}
            assert unit.candidates.vectors([]) == {}
        with store.unit(anchor("other")) as unit:
            assert unit.candidates.vectors(asked) == {}

    def test_a_unit_finds_what_it_has_just_written(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record("a"), 1)])
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=1)) == {record("a").id}

    def test_what_was_undone_is_not_found(self, store: Store) -> None:
        with pytest.raises(ZeroDivisionError), store.unit(anchor()) as unit:
            unit.records.add([entry(record("a"), 1)])
            unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=1)
            1 / 0  # noqa: B018
        with store.unit(anchor()) as unit:
            assert unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=1) == {}

    def test_k_live_rows_of_a_small_anchor_beside_a_large_one_give_k(self, store: Store) -> None:
        large, small = anchor("large"), anchor("small")
        with store.unit(large) as unit:
            unit.records.add([entry(record(f"fact {n}", large), 1, n / 1_000) for n in range(1_000)])
        with store.unit(small) as unit:
            unit.records.add([entry(record(f"fact {n}", small), 0, 0, 1, n / 10) for n in range(10)])
            assert len(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=10)) == 10

    def test_only_live_memory_unless_asked(self, store: Store) -> None:
        live, gone = record("live"), record("gone")
        held = record("held", state=Candidate(START, "wait", "Corroborated"))
        archived = archive(gone, START, "stale")
        assert isinstance(archived, MemoryRecord)
        with store.unit(anchor()) as unit:
            unit.records.add([entry(live, 0, 1), entry(gone, 1), entry(held, 1)])
            unit.records.change(archived)
        with store.unit(anchor()) as unit:
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9)) == {live.id}
            retired = Selection(include_retired=True)
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, retired, limit=9)) == {live.id, gone.id}

    def test_a_selection_is_kept_to(self, store: Store) -> None:
        early = record("early", validity=Validity(START - DAY), tags=Tags({"k": "v"}))
        late = record("late", validity=Validity(START + DAY), tags=Tags({"k": "v"}))
        preference = record("preference", typology=Typology.PROCEDURAL, tags=Tags({"k": "v"}))
        everything = [early, late, preference]
        with store.unit(anchor()) as unit:
            unit.records.add([entry(one, 1, lexemes=["word"]) for one in everything])
        selections = [
            ALL,
            Selection(since=START),
            Selection(until=START),
            Selection(since=START - DAY, until=START + DAY),
            Selection(typologies=frozenset({Typology.PROCEDURAL})),
            Selection(tiers=frozenset({Tier.SESSION})),
        ]
        with store.unit(anchor()) as unit:
            for selection in selections:
                expected = {one.id for one in everything if selection.takes(one)}
                assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, selection, limit=9)) == expected
                assert set(unit.candidates.tagged({"k": "v"}, selection, limit=9)) == expected
                assert set(unit.candidates.matching(["word"], selection, limit=9)) == expected
                assert set(unit.candidates.newest(selection, limit=9)) == expected

    def test_another_anchors_vectors_are_never_compared(self, store: Store) -> None:
        with store.unit(anchor("other")) as unit:
            theirs = record("a", anchor("other"), tags=Tags({"k": "v"}))
            unit.records.add([entry(theirs, 1, lexemes=["word"])])
        with store.unit(anchor()) as unit:
            assert unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=9) == {}
            assert unit.candidates.tagged({"k": "v"}, ALL, limit=9) == {}
            assert unit.candidates.matching(["word"], ALL, limit=9) == {}
            assert unit.candidates.newest(ALL, limit=9) == {}

    def test_a_vector_of_another_model_is_refused(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            with pytest.raises(WrongModel, match="another"):
                unit.candidates.nearest(vector(1), "another", ALL, limit=1)
            with pytest.raises(WrongModel, match="8 numbers"):
                unit.candidates.nearest(vector(1) * 2, EMBEDDING.model, ALL, limit=1)

    def test_tags_score_by_the_share_that_agrees(self, store: Store) -> None:
        both, one, none = (
            record("both", tags=Tags({"family": "thresholds", "speaker": "Ann", "x": "y"})),
            record("one", tags=Tags({"family": "thresholds", "speaker": "Bob"})),
            record("none", tags=Tags({"family": "citations"})),
        )
        other = record("other", tags=Tags({"speaker": "Ann"}))
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(both), Entry(one), Entry(none), Entry(other)])
        with store.unit(anchor()) as unit:
            wanted = {"family": "thresholds", "speaker": "Ann"}
            assert unit.candidates.tagged(wanted, ALL, limit=9) == {both.id: 1.0, one.id: 0.5, other.id: 0.5}
            assert unit.candidates.tagged(wanted, ALL, limit=1) == {both.id: 1.0}
            assert unit.candidates.tagged({}, ALL, limit=9) == {}

    def test_a_tag_is_matched_as_a_whole(self, store: Store) -> None:
        awkward = {'quo"te': "a, b]", "back\\slash": "ÿ", "family": "x"}
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(record("a", tags=Tags(awkward)))])
        with store.unit(anchor()) as unit:
            assert unit.candidates.tagged(awkward, ALL, limit=9) == {record("a").id: 1.0}
            assert unit.candidates.tagged({"family": "", "quo": 'te", "a, b]'}, ALL, limit=9) == {}

    def test_words_score_by_bm25_to_the_last_bit(self, store: Store) -> None:
        bodies = {
            "short": ["gate", "cite"],
            "twice": ["gate", "gate", "threshold", "tighten"],
            "long": ["gate", *(f"word{number}" for number in range(30))],
            "none": ["other", "thing"],
            "Ünï": ["schlüssel", "数据", "gate"],
        }
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record(name), lexemes=lexemes) for name, lexemes in bodies.items()])
            unit.records.add([Entry(record("without words", tags=Tags({"k": "v"})))])
        query = ["gate", "数据", "gate", "cite", "nowhere"]
        containing = {one: sum(one in lexemes for lexemes in bodies.values()) for one in set(query)}
        weighing = weigh(query, Counts(len(bodies), sum(map(len, bodies.values())), containing))
        expected = {
            record(name).id: weighing.score({one: lexemes.count(one) for one in lexemes}, len(lexemes))
            for name, lexemes in bodies.items()
            if set(lexemes) & set(query)
        }
        with store.unit(anchor()) as unit:
            assert unit.candidates.matching(query, ALL, limit=9) == expected
            best = max(expected.items(), key=lambda one: one[1])
            assert unit.candidates.matching(query, ALL, limit=1) == dict([best])
            assert unit.candidates.matching(["nowhere"], ALL, limit=9) == {}
            assert unit.candidates.matching([], ALL, limit=9) == {}

    def test_words_are_found_before_and_after_maintenance(self, store: Store) -> None:
        def found() -> dict[MemoryId, float]:
            with store.unit(anchor()) as unit:
                return dict(unit.candidates.matching(["gate", "new"], ALL, limit=9))

        with store.unit(anchor()) as unit:
            unit.records.add([entry(record(name), lexemes=["gate", name]) for name in ("a", "b")])
        before = found()
        while store.maintain(1):
            pass
        assert found() == before
        with store.unit(anchor()) as unit:
            unit.records.add([entry(record("c"), lexemes=["new"])])
        assert set(found()) == {*before, record("c").id}

    def test_what_became_true_last_is_newest(self, store: Store) -> None:
        days = {name: START + day * DAY for day, name in enumerate(("old", "newer", "newest"))}
        with store.unit(anchor()) as unit:
            unit.records.add([Entry(record(name, validity=Validity(at))) for name, at in days.items()])
        with store.unit(anchor()) as unit:
            expected = {record(name).id: days[name].timestamp() for name in ("newer", "newest")}
            assert unit.candidates.newest(ALL, limit=2) == expected

    def test_where_equals_meet_the_limit_the_later_comes_first_then_the_id(self, store: Store) -> None:
        late = record("late", validity=Validity(START + DAY), tags=Tags({"k": "v"}))
        equals = [record(f"equal {number}", tags=Tags({"k": "v"})) for number in range(4)]
        with store.unit(anchor()) as unit:
            unit.records.add([entry(one, 1, lexemes=["word"]) for one in (*equals, late)])
        expected = {late.id, *sorted(one.id for one in equals)[:2]}
        with store.unit(anchor()) as unit:
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, ALL, limit=3)) == expected
            assert set(unit.candidates.matching(["word"], ALL, limit=3)) == expected
            assert set(unit.candidates.tagged({"k": "v"}, ALL, limit=3)) == expected
            assert set(unit.candidates.newest(ALL, limit=3)) == expected

    def test_a_draw_gives_what_each_signal_gives_alone(self, store: Store) -> None:
        """All of it at once, and each of several searches for itself."""
        with store.unit(anchor()) as unit:
            unit.records.add(
                [
                    entry(record("a", tags=Tags({"k": "v"})), 1, lexemes=["gate"]),
                    entry(record("b"), 0, 1, lexemes=["gate", "cite"]),
                ]
            )
        model, words = EMBEDDING.model, ["cite", "gate"]
        with store.reading(anchor()) as unit:
            search, counts = unit.candidates, unit.candidates.known([*words, "nowhere"], []).counts
            searches = [
                Search(5, vector(1), model, weigh(words, counts), [label("k", "v")]),
                Search(1, vector(0, 1), model),
                Search(5, weighing=weigh(["nowhere"], counts)),
                Search(5),
            ]
            whole, near, nowhere, nothing = (by_id(one) for one in search.draw(searches, 1, ALL))
            assert whole == {
                Signal.SEMANTIC: search.nearest(vector(1), model, ALL, 5),
                Signal.LEXICAL: search.matching(words, ALL, 5),
                Signal.TAGS: search.tagged({"k": "v"}, ALL, 5),
            }
            told = by_word(search.draw(searches, 1, ALL)[0])
            assert {id_: sum(some.values()) for id_, some in told.items()} == whole[Signal.LEXICAL]
            assert set(told[record("b").id]) == {0, 1}, "each word for itself, numbered as they are weighed"
            assert near == {Signal.SEMANTIC: search.nearest(vector(0, 1), model, ALL, 1)}
            assert not any(nowhere.values())
            assert nothing == {}
            assert search.draw([], 1, ALL) == []
            with pytest.raises(WrongModel):
                search.draw([Search(5, vector(1), "another")], 1, ALL)

    def test_what_is_known_of_words_is_of_the_anchors_own_records_only(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            tags = Tags({"speaker": "Ann  Lee", "note": "x" * 65})
            unit.records.add([entry(record("a", tags=tags), lexemes=["gate", "gate"]), entry(record("c"))])
        with store.unit(anchor("other")) as unit:
            tags = Tags({"speaker": "Bob"})
            unit.records.add([entry(record("b", anchor("other"), tags=tags), lexemes=["gate", "cite"])])
        possible = [Mentions(text, saying=list) for text in ("of Ann Lee", "Bob", "x" * 65, "the speaker")]
        for _ in range(2):
            with store.reading(anchor()) as unit:
                known = unit.candidates.known(["cite", "gate"], possible)
                assert known.mentioned == {"ann lee"}
                assert (known.counts.documents, known.counts.total_length) == (1, 2)
                assert {lexeme: count for lexeme, count in known.counts.containing.items() if count} == {"gate": 1}
                assert unit.candidates.known([], []).mentioned == frozenset()
            while store.maintain(10):
                pass

    def test_a_draw_tells_what_ranking_looks_at(self, store: Store) -> None:
        session = SessionId(uuid("session"))
        said = [
            record(f"said {n}", body="word " * (n + 1), origin=Origin(session, None, n), tags=Tags({"k": str(n)}))
            for n in range(5)
        ]
        confirmed = Corroboration(
            id=CorroborationId(uuid("c")),
            memory_id=said[1].id,
            source_type=SourceType.OPERATOR_INPUT,
            source_ref=uuid("s"),
            corroborated_at=START + DAY,
        )
        with store.unit(anchor()) as unit:
            unit.records.add([entry(one, 1) for one in said])
            unit.candidates.newest(ALL, 1)
            unit.corroborations.add([confirmed])
        wanted = Search(1, finding=[label("k", "1")], labels=[label("k", "1"), label("k", "2")])
        with store.reading(anchor()) as unit:
            first, none = unit.candidates.draw([wanted, Search(5)], 1, ALL)
            drawn = {one.id: one for one in first.outlines}
            expected = [outline_of(said[0]), outline_of(said[1], 0.5, START + DAY), outline_of(said[2], 0.5)]
            assert without_spots(drawn.values()) == without_spots(expected)
            first_spot = drawn[said[0].id].spot
            assert first_spot > 0
            assert [drawn[one.id].spot - first_spot for one in said[:3]] == [0, 1, 2]
            assert len(none.outlines) == 0

    def test_a_draw_tells_how_much_of_a_text_asks(self, store: Store) -> None:
        """Whether it was there when the store was opened or came since."""
        bodies = [
            "Why?",
            "I see. Why? \n",
            "No! Et à toi, ça va? ",
            "Why? Because.",
            "?",
            "a.b\n¿?",
            "e\u0301.\u0308?",
            "?\t",
        ]
        asked = [record(body, body=body) for body in bodies]
        with store.unit(anchor()) as unit:
            unit.records.add([entry(one, 1) for one in asked[:5]])
        with store.unit(anchor()) as unit:
            unit.candidates.newest(ALL, 1)
            unit.records.add([entry(one, 1) for one in asked[5:]])
        with store.reading(anchor()) as unit:
            (drawn,) = unit.candidates.draw([Search(9, vector(1), EMBEDDING.model)], 1, ALL)
        assert {one.id: one.asking for one in drawn.outlines} == {one.id: closing(one.body) for one in asked}

    def test_neighbours_are_found_wherever_they_were_put(self, store: Store) -> None:
        """Two sessions take turns, one record is a copy, and one that stood between them is gone."""
        ann, bob = SessionId(uuid("ann")), SessionId(uuid("bob"))
        turn = SessionScope(anchor(), ann)
        said = [record(f"{session} {n}", origin=Origin(session, None, n)) for n in range(4) for session in (ann, bob)]
        copy = record("copy", origin=Origin(ann, None, 1))
        passing = record("passing", scope=turn, typology=Typology.EPISODIC, origin=Origin(ann, None, 2))
        with store.unit(anchor()) as unit:
            unit.records.add([*(entry(one, 0, 1) for one in said), entry(copy, 0, 1), entry(passing, 0, 1)])
            unit.candidates.newest(ALL, 1)
            unit.records.add([entry(record("asked", origin=Origin(ann, None, 2)), 1)])
        with store.unit(anchor()) as unit:
            unit.scope_cleanup.detach([passing.id])
        with store.unit(anchor()) as unit:
            unit.scope_cleanup.remove([passing.id])
        with store.reading(anchor()) as unit:
            (drawn,) = unit.candidates.draw([Search(1, vector(1), EMBEDDING.model)], 1, ALL)
        beside = {one.id for one in said if one.origin and one.origin.session_id == ann and one.origin.position}
        assert set(drawn.outlines.ids) == beside | {copy.id, record("asked").id}

    def test_the_newest_are_drawn_though_no_signal_finds_them(self, store: Store) -> None:
        given = [record(f"{n}", validity=Validity(START + n * DAY)) for n in range(4)]
        with store.unit(anchor()) as unit:
            unit.records.add([entry(one, 1) for one in given])
        with store.reading(anchor()) as unit:
            (drawn,) = unit.candidates.draw([Search(9, newest=2)], 1, ALL)
            assert set(drawn.outlines.ids) == {given[3].id, given[2].id}
            assert drawn.found == {}

    def test_a_session_is_looked_at_alone(self, store: Store) -> None:
        mine, other = SessionId(uuid("mine")), SessionId(uuid("other"))
        records = [record("a", origin=Origin(mine, None, 0)), record("b", origin=Origin(other, None, 0)), record("c")]
        with store.unit(anchor()) as unit:
            unit.records.add([entry(one, 1, lexemes=["word"]) for one in records])
        only = Selection(session_id=mine)
        with store.reading(anchor()) as unit:
            assert set(unit.candidates.newest(only, 9)) == {records[0].id}
            assert set(unit.candidates.nearest(vector(1), EMBEDDING.model, only, 9)) == {records[0].id}
            assert set(unit.candidates.matching(["word"], only, 9)) == {records[0].id}


def by_word(drawn: Drawn) -> dict[MemoryId, dict[int, float]]:
    """What each word of the query adds to each outline."""
    told: dict[MemoryId, dict[int, float]] = {}
    for place, word, added in zip(*(column.tolist() for column in drawn.words), strict=True):
        told.setdefault(drawn.outlines.ids[place], {})[word] = added
    return told


def by_id(drawn: Drawn) -> dict[Signal, dict[MemoryId, float]]:
    """What each signal found, by the ids of what it found."""
    ids = drawn.outlines.ids
    return {
        signal: {ids[place]: score for place, score in zip(*said, strict=True)} for signal, said in drawn.found.items()
    }
