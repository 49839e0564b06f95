"""The persistent tier registers its retention policy with the context that owns it; transient tiers register none."""

import pytest

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.errors import ImpossibleState
from lamina.domain.policies.decay import DecayExempt, ValidityWindow
from lamina.domain.typology import Typology


def opened(spec: lamina.AgentMemorySpec, registry: lamina.RetentionPolicies) -> None:
    lamina.open(":memory:", spec=spec, embedder=HashingEmbedder(), retention=registry).close()


def test_each_memory_that_is_opened_registers_its_policy() -> None:
    registry = lamina.RetentionPolicies()
    for spec in (lamina.WORLD_AGENT, lamina.ASSISTANT_AGENT, lamina.WORLD_AGENT):
        opened(spec, registry)
    assert [(policy.agent, policy.owner) for policy in registry] == [
        ("world_agent", "worlds"),
        ("assistant_agent", "lamina"),
    ]
    world = registry.of("world_agent")
    assert world is not None
    assert {typology: type(decay) for typology, decay in world.decays.items()} == {
        Typology.SEMANTIC: ValidityWindow,
        Typology.PROCEDURAL: DecayExempt,
    }
    assert registry.of("nobody") is None


def test_two_owners_of_one_memory_are_refused() -> None:
    registry = lamina.RetentionPolicies()
    opened(lamina.WORLD_AGENT, registry)
    visibility = lamina.WORLD_AGENT.visibility.model_copy(update={"owner": "somebody"})
    with pytest.raises(ImpossibleState, match="registered by worlds otherwise"):
        opened(lamina.WORLD_AGENT.model_copy(update={"visibility": visibility}), registry)
