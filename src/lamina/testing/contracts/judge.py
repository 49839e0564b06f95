"""What every judge keeps its word on."""

from __future__ import annotations

from hypothesis import given, settings

from lamina.domain.policies.conflict import Ruling
from lamina.domain.text import is_blank
from lamina.ports.judge import Judge
from lamina.testing.contracts.records import SHARED
from lamina.testing.strategies import texts


class JudgeContract:
    """It rules, and says why. A fixture `judge` gives one that can answer, `speechless` one that cannot."""

    @settings(max_examples=10, deadline=None, suppress_health_check=SHARED)
    @given(known=texts(), incoming=texts())
    def test_it_rules_on_any_two_texts(self, judge: Judge, known: str, incoming: str) -> None:
        ruled = judge.compare(known, incoming)
        assert ruled.ruling in Ruling
        assert not is_blank(ruled.reason)

    def test_one_that_cannot_answer_is_unsure_and_says_why(self, speechless: Judge) -> None:
        ruled = speechless.compare("12 percent", "15 percent")
        assert ruled.ruling is Ruling.UNSURE
        assert not is_blank(ruled.reason)
