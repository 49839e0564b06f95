from uuid import UUID

import pytest

from lamina.domain.audit import may_remove
from lamina.domain.errors import ImpossibleState, Refused, TextTooLong
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.tier import Tier

ID = MemoryId(UUID(int=1))


def test_a_write_that_took_effect_can_be_required() -> None:
    added = Outcome(Decision.ADD, (ID,), "nothing like it was known")
    assert added.require() is added
    assert added.id == ID


@pytest.mark.parametrize("decision", [Decision.HELD, Decision.REFUSED])
def test_a_write_that_was_stopped_raises_only_if_asked(decision: Decision) -> None:
    stopped = Outcome(decision, (ID,), "1 of 2 independent corroborations", rule="Corroborated")
    with pytest.raises(Refused, match=f"was {decision.lower()}; 1 of 2 independent corroborations"):
        stopped.require()


def test_a_held_candidate_has_an_id_and_a_refused_write_has_none() -> None:
    assert Outcome(Decision.HELD, (ID,), "wait", rule="Corroborated").id == ID
    with pytest.raises(Refused, match="write-policy"):
        Outcome(Decision.REFUSED, (), "facts are promoted", rule="write-policy").id  # noqa: B018


def test_outcomes_that_cannot_be() -> None:
    with pytest.raises(ImpossibleState, match="REFUSED outcome lacks its rule"):
        Outcome(Decision.REFUSED, (), "no")
    with pytest.raises(ImpossibleState, match="ADD outcome names a rule"):
        Outcome(Decision.ADD, (ID,), "yes", rule="write-policy")
    with pytest.raises(ImpossibleState, match="HELD outcome touches no record"):
        Outcome(Decision.HELD, (), "wait", rule="corroborated")
    with pytest.raises(TextTooLong, match="outcome reason"):
        Outcome(Decision.ADD, (ID,), "x" * 2_001)
    with pytest.raises(ImpossibleState, match="NOOP outcome touches no record"):
        Outcome(Decision.NOOP, (), "known")


def test_a_removal_is_refused_by_the_rule_that_it_breaks() -> None:
    refusals = [
        may_remove(Tier.PERSISTENT, scope_ended=True, action_linked=False),
        may_remove(Tier.SESSION, scope_ended=False, action_linked=False),
        may_remove(Tier.SESSION, scope_ended=True, action_linked=True),
    ]
    assert [refusal and refusal.rule for refusal in refusals] == ["durability", "scope-inheritance", "action-linkage"]


@pytest.mark.parametrize("tier", Tier)
@pytest.mark.parametrize("scope_ended", [False, True])
@pytest.mark.parametrize("action_linked", [False, True])
def test_only_transient_unlinked_memory_of_an_ended_scope_may_be_removed(
    tier: Tier, scope_ended: bool, action_linked: bool
) -> None:
    refusal = may_remove(tier, scope_ended=scope_ended, action_linked=action_linked)
    assert (refusal is None) == (tier is not Tier.PERSISTENT and scope_ended and not action_linked)
    if action_linked:
        assert refusal is not None
        assert refusal.rule == "action-linkage"
