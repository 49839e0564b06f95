"""Several anchors at once, for operators: nullable keys only, and nothing but reading."""

from __future__ import annotations

import pytest

import lamina
from lamina.domain.errors import LaminaError
from lamina.domain.signals import Signal


@pytest.fixture
def filled(memory: lamina.Memory) -> lamina.Memory:
    for org, domain in [("acme", "kyc"), ("acme", "aml"), ("acmes", "kyc")]:
        memory.at(org_id=org, domain_id=domain).prefer(f"Ask twice at the {domain} gate of {org}")
    return memory


def test_the_anchors_that_share_a_key_are_asked_together(filled: lamina.Memory) -> None:
    across = filled.across(org_id="acme")
    assert [dict(anchor.parts)["domain_id"] for anchor in across.anchors()] == ["aml", "kyc"]
    bodies = {hit.record.body for hit in across.recall("what do we do at the gate?")}
    assert bodies == {"Ask twice at the kyc gate of acme", "Ask twice at the aml gate of acme"}
    assert len(across.recall("gate", limit=1)) == 1
    assert filled.across(org_id="nobody").recall("gate") == []


def test_a_word_is_as_rare_in_each_anchor(memory: lamina.Memory) -> None:
    """Counted in each alone, the same words would say more where there is more beside them."""
    for number in range(12):
        at = memory.at(org_id="zoo", domain_id=f"d{number}")
        at.prefer(f"Ask twice at the gate of domain {number}")
        if number != 7:
            at.prefer(f"Zebras cross at noon {number}")
    first = memory.across(org_id="zoo").recall("Ask twice at the gate of domain 7", 12)[0]
    assert first.record.body == "Ask twice at the gate of domain 7"
    assert first.why[Signal.LEXICAL].rank == 1


@pytest.mark.parametrize("value", ["\ud800", "\0", " "])
def test_a_key_that_no_anchor_can_have_is_named(memory: lamina.Memory, value: str) -> None:
    with pytest.raises(LaminaError, match="anchor key org_id has"):
        memory.across(org_id=value)


def test_a_key_that_the_spec_lets_no_query_cross_cannot_be_left_open(filled: lamina.Memory) -> None:
    with pytest.raises(LaminaError, match="leaves org_id open; give it a value"):
        filled.across(domain_id="kyc")


def test_there_is_no_verb_that_writes(filled: lamina.Memory) -> None:
    across = filled.across(org_id="acme")
    writing = {"session", "propose", "prefer", "corroborate", "contradict", "link_action", "archive", "undo"}
    assert writing <= set(dir(filled.at(org_id="acme", domain_id="kyc")))
    assert not writing & set(dir(across))
