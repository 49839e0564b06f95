"""What every model keeps its word on that writes or reads texts for a memory."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.domain.event import Event
from lamina.domain.long_term import LONGEST_ENTRY
from lamina.domain.loop_summary import LONGEST_SUMMARY
from lamina.domain.text import is_blank
from lamina.ports.compactor import Compactor
from lamina.ports.merger import Merger
from lamina.ports.reranker import Reranker
from lamina.ports.summariser import Summariser
from lamina.testing.contracts.records import SHARED
from lamina.testing.event_strategies import event, events


class MergerContract:
    """Makes one text of several, or none. A fixture `merger` gives one that answers, `speechless` one that cannot."""

    def test_it_gives_a_text_or_says_why_not(self, merger: Merger) -> None:
        merged = merger.merge(["The gate wants citations", "The gate wants two of them"])
        assert not is_blank(merged.reason)
        assert merged.text is None or not is_blank(merged.text)

    def test_one_that_cannot_answer_leaves_them_as_they_are(self, speechless: Merger) -> None:
        merged = speechless.merge(["a", "b"])
        assert (merged.text, merged.ask_again) == (None, True)
        assert not is_blank(merged.reason)


class RerankerContract:
    """Reads a query beside each text. A fixture `reranker` gives one."""

    def test_each_text_has_a_finite_score(self, reranker: Reranker) -> None:
        scores = list(reranker.scores("what does the gate want ?", ["the gate wants citations", "lunch is at noon"]))
        assert len(scores) == 2
        assert all(math.isfinite(score) for score in scores)

    def test_nothing_to_read(self, reranker: Reranker) -> None:
        assert list(reranker.scores("what ?", [])) == []


class CompactorContract:
    """Keeps of each event what long-term memory keeps. A fixture `compactor` gives one."""

    @settings(max_examples=30, deadline=None, suppress_health_check=SHARED)
    @given(several=st.lists(events(), max_size=4))
    def test_each_event_has_a_text_that_can_be_kept(self, compactor: Compactor, several: list[Event]) -> None:
        kept = compactor.compact(several)
        assert len(kept) == len(several)
        assert all(not is_blank(text) and len(text) <= LONGEST_ENTRY for text in kept)


class SummariserContract:
    """Keeps of each loop what short-term memory keeps. A fixture `summariser` gives one."""

    @settings(max_examples=30, deadline=None, suppress_health_check=SHARED)
    @given(several=st.lists(events(), min_size=1, max_size=4))
    def test_each_loop_has_a_text_that_can_be_kept(self, summariser: Summariser, several: list[Event]) -> None:
        said = summariser.summarise([event("asked"), *several])
        assert not is_blank(said)
        assert len(said) <= LONGEST_SUMMARY
