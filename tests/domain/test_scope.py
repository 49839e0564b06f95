from uuid import UUID

import pytest
from hypothesis import given

from lamina.domain.anchor import Anchor
from lamina.domain.ids import InteractionId, SessionId
from lamina.domain.scope import InteractionScope, PersistentScope, Scope, SessionScope, boundary_between
from lamina.domain.tier import BoundaryKind, Tier
from lamina.testing.strategies import scopes

KYC = Anchor((("org_id", "acme"), ("domain_id", "kyc")))
AML = Anchor((("org_id", "acme"), ("domain_id", "aml")))
ORG = Anchor((("org_id", "acme"),))
SESSION, OTHER = SessionId(UUID(int=1)), SessionId(UUID(int=2))
TURN, NEXT = InteractionId(UUID(int=1)), InteractionId(UUID(int=2))


@pytest.mark.parametrize(
    ("before", "after", "boundary"),
    [
        (InteractionScope(KYC, SESSION, TURN), InteractionScope(KYC, SESSION, NEXT), BoundaryKind.LIFECYCLE_EVENT),
        (SessionScope(KYC, SESSION), SessionScope(KYC, OTHER), BoundaryKind.LIFECYCLE_EVENT),
        (SessionScope(KYC, SESSION), SessionScope(AML, SESSION), BoundaryKind.SCOPE_CHANGE),
        (PersistentScope(KYC), PersistentScope(AML), BoundaryKind.SCOPE_CHANGE),
        (SessionScope(KYC, SESSION), PersistentScope(KYC), BoundaryKind.ANCHOR_ESCALATION),
        (PersistentScope(KYC), PersistentScope(ORG), BoundaryKind.ANCHOR_ESCALATION),
        (SessionScope(KYC, SESSION), InteractionScope(KYC, SESSION, TURN), BoundaryKind.LIFECYCLE_EVENT),
        (PersistentScope(KYC), SessionScope(KYC, SESSION), BoundaryKind.LIFECYCLE_EVENT),
        (PersistentScope(ORG), PersistentScope(KYC), BoundaryKind.SCOPE_CHANGE),
        (SessionScope(KYC, SESSION), SessionScope(KYC, SESSION), None),
    ],
)
def test_each_kind_of_boundary(before: Scope, after: Scope, boundary: BoundaryKind | None) -> None:
    assert boundary_between(before, after) is boundary


@given(scopes(), scopes())
def test_there_is_a_boundary_wherever_scopes_differ(before: Scope, after: Scope) -> None:
    assert (boundary_between(before, after) is None) == (before == after)


def test_ids_above_their_tier_cannot_be_written_down() -> None:
    assert not hasattr(PersistentScope(KYC), "session_id")
    assert not hasattr(SessionScope(KYC, SESSION), "interaction_id")


def test_tiers_rise_by_durability() -> None:
    assert sorted(Tier, key=lambda tier: tier.height) == [Tier.INTERACTION, Tier.SESSION, Tier.PERSISTENT]
    assert [tier.transient for tier in Tier] == [True, True, False]
