"""The word of a source that is trusted too little does not count towards a promotion."""

from __future__ import annotations

from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.frozen import FrozenMap
from lamina.domain.ids import CorroborationId, MemoryId
from lamina.domain.policies.promotion import Case, Corroborated, TrustedSources
from lamina.domain.trust import Trust
from lamina.testing.samples import START, uuid


def word(kind: SourceType, source: str = "a", outcome: Finding = Finding.CONFIRMED) -> Corroboration:
    return Corroboration(
        id=CorroborationId(uuid(f"{kind} {source}")),
        memory_id=MemoryId(uuid("fact")),
        source_type=kind,
        source_ref=uuid(source),
        corroborated_at=START,
        outcome=outcome,
    )


def test_an_agents_own_inference_does_not_count_by_default() -> None:
    assert [kind for kind in SourceType if not Trust().counts(word(kind))] == [SourceType.AGENT_INFERENCE]


def test_what_speaks_against_a_record_always_counts() -> None:
    assert Trust().counts(word(SourceType.AGENT_INFERENCE, outcome=Finding.FAILED))


def test_a_single_source_can_be_trusted_otherwise() -> None:
    trust = Trust(sources=FrozenMap({uuid("liar"): 0.0, uuid("expert"): 0.9}))
    assert not trust.counts(word(SourceType.OPERATOR_INPUT, "liar"))
    assert trust.counts(word(SourceType.OPERATOR_INPUT))
    assert trust.counts(word(SourceType.AGENT_INFERENCE, "expert"))


def test_the_bound_itself_counts() -> None:
    trust = Trust(kinds=FrozenMap({SourceType.RULE_CHANGE: 0.7}), counts_from=0.7)
    assert trust.counts(word(SourceType.RULE_CHANGE))


def test_a_criterion_says_how_many_were_left_out() -> None:
    case = Case(corroborations=(word(SourceType.OPERATOR_INPUT),), distrusted=2)
    assert Corroborated().lacking(case) == (
        "1 of 2 independent corroborations (2 more of sources that are trusted too little)"
    )
    assert TrustedSources().lacking(case) is None
    assert TrustedSources(at_least=2).lacking(case) == "1 of 2 trusted sources"
    assert TrustedSources().lacking(Case(distrusted=3)) == "0 of 1 trusted sources"
