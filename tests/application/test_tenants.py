"""Ten thousand generated attempts to reach another tenant's memory, on each back end: none succeeds."""

from __future__ import annotations

import lamina
from lamina.testing.tenants import attack, settle, untouched


def test_no_attempt_reaches_another_tenant(memory: lamina.Memory) -> None:
    tenants = settle(memory, facts=14, seed=1)
    tally = attack(tenants, seed=2)
    assert tally.leaks == []
    assert tally.attempts >= 10_000
    assert untouched(tenants) == []


def test_a_leak_would_be_seen(memory: lamina.Memory) -> None:
    tenants = settle(memory, facts=2, seed=1)
    # Two who are one: each is told what the other wrote.
    tenants[1].at = tenants[0].at
    tally = attack(tenants[:2] + tenants[2:4], seed=2)
    assert tally.leaks
