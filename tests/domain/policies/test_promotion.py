from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain import defaults
from lamina.domain.corroboration import Corroboration, Finding
from lamina.domain.defaults import Rise
from lamina.domain.policies.promotion import Case, Granted, Held, NoPromotion, PromotionPolicy
from lamina.domain.references import RuleRef
from lamina.testing.spec_strategies import promotions
from lamina.testing.strategies import cases, corroborations

confirmations = corroborations(st.just(Finding.CONFIRMED))


@given(promotions, cases(), confirmations)
def test_promotion_is_monotone_in_corroborations(policy: PromotionPolicy, case: Case, one: Corroboration) -> None:
    if isinstance(policy.judge(case), Granted):
        assert isinstance(policy.judge(replace(case, corroborations=(*case.corroborations, one))), Granted)


@given(promotions, cases())
def test_a_held_candidate_knows_the_criterion_and_what_it_lacks(policy: PromotionPolicy, case: Case) -> None:
    verdict = policy.judge(case)
    assert verdict.reason
    if isinstance(verdict, Held):
        assert verdict.criterion


@given(cases())
def test_procedural_memory_is_the_durable_form(case: Case) -> None:
    assert isinstance(NoPromotion().judge(case), Held)


READY = Case(
    contexts=frozenset({"a", "b"}),
    versions=frozenset({"1", "2"}),
    surviving_refs=frozenset({RuleRef(UUID(int=1), "1")}),
    recurrences=3,
)


@pytest.mark.parametrize(
    ("rise", "case", "criterion", "reason"),
    [
        (
            Rise.EPISODIC_TRANSIENT_TO_PERSISTENT,
            replace(READY, similarity_to_existing=0.95),
            "distinct",
            "an existing entry says the same (similarity 0.950)",
        ),
        (Rise.EPISODIC_TO_SEMANTIC, READY, "corroborated", "0 of 2 independent corroborations"),
        (Rise.SEMANTIC_TO_META, replace(READY, versions=frozenset({"1"})), "persisted-versions", "1 of 2 versions"),
        (
            Rise.SEMANTIC_TO_META,
            replace(READY, surviving_refs=frozenset()),
            "surviving-references",
            "no canonical reference of it survives",
        ),
        (Rise.SEMANTIC_TO_META, replace(READY, recurrences=2), "recurring", "2 of 3 recurrences"),
    ],
)
def test_each_default_criterion_holds_by_name(rise: Rise, case: Case, criterion: str, reason: str) -> None:
    assert defaults.PROMOTION[rise].judge(case) == Held(criterion, reason)


@given(
    st.lists(confirmations, min_size=2, max_size=2, unique_by=(lambda c: c.source, lambda c: c.session_id or c.source))
)
def test_a_fact_needs_sanitization_and_more_than_one_context(voices: list[Corroboration]) -> None:
    rule = defaults.PROMOTION[Rise.EPISODIC_TO_SEMANTIC]
    case = replace(READY, corroborations=tuple(voices))
    assert isinstance(rule.judge(case), Granted)
    assert rule.judge(replace(case, sanitization_concern="an account number")) == Held(
        "sanitized", "the sanitization gate objects: an account number"
    )
    assert rule.judge(replace(case, contexts=frozenset({"a"}))) == Held("holds-across-contexts", "1 of 2 contexts")


def test_the_first_criterion_that_fails_holds() -> None:
    assert defaults.PROMOTION[Rise.SEMANTIC_TO_META].judge(Case()) == Held("persisted-versions", "0 of 2 versions")


def test_a_meta_fact_is_granted_with_all_that_was_met() -> None:
    verdict = defaults.PROMOTION[Rise.SEMANTIC_TO_META].judge(READY)
    assert isinstance(verdict, Granted)
    assert "2 or more versions" in verdict.reason
