"""What a store that can be asked at a glance keeps its word on."""

from __future__ import annotations

import pytest

from lamina.domain.bm25 import weigh
from lamina.domain.errors import WrongModel
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.record import MemoryRecord, Origin, Tags
from lamina.domain.search import Drawn, Search
from lamina.domain.selection import Selection
from lamina.domain.sheet import Wanted
from lamina.domain.signals import Signal
from lamina.domain.terms import label
from lamina.domain.transitions import archive
from lamina.domain.typology import Typology
from lamina.ports.glances import Glances
from lamina.ports.store import Store
from lamina.testing.contracts.candidates import by_id, by_word
from lamina.testing.samples import DAY, EMBEDDING, START, anchor, entry, record, uuid, vector, without_spots

LIVE = Selection()
WORDS = ["cite", "gate"]
KEY = label("k", "v")
WANTED = Wanted(vector(1), EMBEDDING.model, [*WORDS, KEY, "nowhere"])


def heard(drawn: Drawn) -> dict[Signal, dict[MemoryId, float]]:
    """What the signals found, of those that found anything."""
    return {signal: said for signal, said in by_id(drawn).items() if said}


class GlancesContract:
    """A sheet has what a unit would draw, of one moment; a record is given as of the version that was seen."""

    @pytest.fixture
    def glances(self, store: Store) -> Glances:
        assert store.glances is not None
        return store.glances

    def test_a_sheet_draws_what_a_unit_draws(self, store: Store, glances: Glances) -> None:
        self._written(store)
        searches = [
            Search(2, vector(1), EMBEDDING.model, finding=[KEY], labels=[KEY, label("k", "other")]),
            Search(1, vector(1), EMBEDDING.model),
            Search(9, newest=2),
            Search(9),
        ]
        for _ in range(2):
            for chosen in (LIVE, Selection(typologies=frozenset({Typology.SEMANTIC}))):
                sheet = glances.sheet(anchor(), chosen, WANTED)
                assert sheet is not None
                with store.reading(anchor()) as unit:
                    counts = unit.candidates.known([*WORDS, "nowhere"], []).counts
                    assert sheet.counts.containing == {**counts.containing, KEY: 2}
                    assert (sheet.counts.documents, sheet.counts.total_length) == (
                        counts.documents,
                        counts.total_length,
                    )
                    searches[0] = searches[0]._replace(weighing=weigh(WORDS, counts))
                    for search, drawn in zip(searches, unit.candidates.draw(searches, 1, chosen), strict=True):
                        seen, _ = sheet.draw(search, 1)
                        assert heard(seen) == heard(drawn)
                        assert by_word(seen) == by_word(drawn)
                        assert without_spots(seen.outlines) == without_spots(drawn.outlines)
            while store.maintain(10):
                pass

    def test_a_sheet_is_of_one_anchor_and_of_one_model(self, store: Store, glances: Glances) -> None:
        self._written(store)
        nothing = glances.sheet(anchor("other"), LIVE, WANTED)
        assert nothing is not None
        assert len(nothing.outlines) == len(nothing.near.places) == nothing.counts.documents == 0
        assert len(nothing.draw(Search(5, vector(1), EMBEDDING.model, newest=5), 2)[0].outlines) == 0
        with pytest.raises(WrongModel):
            glances.sheet(anchor(), LIVE, WANTED._replace(model="another"))

    def test_no_vector_is_asked_for_where_none_is_given(self, store: Store, glances: Glances) -> None:
        self._written(store)
        sheet = glances.sheet(anchor(), LIVE, Wanted(None, "", WORDS))
        assert sheet is not None
        assert len(sheet.near.places) == 0
        assert sheet.counts.containing == {"cite": 2, "gate": 2}

    def test_a_record_is_given_as_of_the_version_that_was_seen(self, store: Store, glances: Glances) -> None:
        self._written(store)
        fact = record("a")
        for _ in range(2):
            assert glances.records(anchor(), {fact.id: 1, record("nowhere").id: 1}).keys() == {fact.id}
            assert glances.records(anchor("other"), {fact.id: 1}) == {}
        with store.unit(anchor()) as unit:
            archived = archive(unit.records.get([fact.id])[fact.id], START + DAY, "stale")
            assert isinstance(archived, MemoryRecord)
            unit.records.change(archived)
        assert glances.records(anchor(), {fact.id: 3}) == {}
        (now,) = glances.records(anchor(), {fact.id: 2}).values()
        assert now == archived
        sheet = glances.sheet(anchor(), LIVE, WANTED)
        assert sheet is not None
        assert fact.id not in set(sheet.outlines.ids), "what is not live is not on it"

    @staticmethod
    def _written(store: Store) -> list[MemoryRecord]:
        session = SessionId(uuid("session"))
        tagged = Tags({"k": "v"})
        records = [
            record("a", origin=Origin(session, None, 0), tags=tagged),
            record("b", origin=Origin(session, None, 1), typology=Typology.EPISODIC),
            record("c", origin=Origin(session, None, 3), tags=tagged),
            record("d", body="Is it so?"),
        ]
        words = [["gate"], ["gate", "cite"], [], ["cite", "cite"]]
        with store.unit(anchor()) as unit:
            unit.records.add(
                [
                    entry(one, 1, place, lexemes=some)
                    for place, (one, some) in enumerate(zip(records, words, strict=True))
                ]
            )
        with store.unit(anchor("another")) as unit:
            unit.records.add([entry(record("theirs", anchor("another")), 1, lexemes=WORDS)])
        return records
