"""Ten thousand ways for an actor to get at what is not an actor's, on each back end: none leads there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.domain.agents import CHAOS_AGENT
from lamina.testing.personas import awaken, haunt


@pytest.fixture
def chaos(urls: Urls) -> Iterator[lamina.Memory]:
    with lamina.open(urls(CHAOS_AGENT), spec=CHAOS_AGENT, embedder=EMBEDDER) as memory:
        yield memory


def test_no_actor_gets_at_what_is_not_its_own(chaos: lamina.Memory) -> None:
    tally = haunt(awaken(chaos, events=30, seed=1), seed=2)
    assert tally.leaks == []
    assert tally.attempts >= 10_000


def test_a_leak_would_be_seen(chaos: lamina.Memory) -> None:
    agents = awaken(chaos, events=2, seed=1)
    # What an actor may see, taken for what it may not.
    mistaken = [replace(agents[0], hidden=agents[0].own), *agents[1:]]
    assert haunt(mistaken, seed=2).leaks
