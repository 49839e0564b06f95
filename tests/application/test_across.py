"""Several anchors at once, for operators: nullable keys only, and nothing but reading."""

from __future__ import annotations

import pytest

import lamina
from lamina.domain.errors import LaminaError


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


def test_a_key_that_the_spec_lets_no_query_cross_cannot_be_left_open(filled: lamina.Memory) -> None:
    with pytest.raises(LaminaError, match="leaves org_id open; give it a value"):
        filled.across(domain_id="kyc")


def test_there_is_no_verb_that_writes(filled: lamina.Memory) -> None:
    across = filled.across(org_id="acme")
    writing = {"session", "propose", "prefer", "corroborate", "contradict", "link_action", "archive", "undo"}
    assert writing <= set(dir(filled.at(org_id="acme", domain_id="kyc")))
    assert not writing & set(dir(across))
