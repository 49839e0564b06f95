"""Every verb, at random, on both stores at once beside the model: for an agent whose episodes end with their session,
and for one whose episodes persist."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from dependency_injector import providers
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.application.conftest import EMBEDDER

import lamina
from lamina.application.resources import Resources
from lamina.composition.container import Container
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.tier import Boundary, BoundaryKind
from lamina.testing.verbs.machine import VerbMachine
from lamina.testing.verbs.sides import Side
from lamina.testing.verbs.vocabulary import CountedIds, TurnedClock, check_vocabulary

if TYPE_CHECKING:
    from tests.conftest import Server, Template

# LAMINA_HISTORIES=200 runs thousands of steps; by default it is a few hundred.
HISTORIES = settings(
    max_examples=int(os.environ.get("LAMINA_HISTORIES", "5")),
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def assistant() -> lamina.AgentMemorySpec:
    """The assistant, with every kind of boundary."""
    interaction, session, persistent = lamina.ASSISTANT_AGENT.tiers
    more = (
        Boundary(kind=BoundaryKind.SCOPE_CHANGE, event="another user sits down"),
        Boundary(kind=BoundaryKind.ANCHOR_ESCALATION, event="the user agrees"),
    )
    session = session.model_copy(update={"boundaries": (*session.boundaries, *more)})
    return lamina.ASSISTANT_AGENT.model_copy(update={"tiers": (interaction, session, persistent)})


def resources(url: str, agent: lamina.AgentMemorySpec) -> Resources:
    container = Container(url=url, spec=agent)
    container.embedder.override(providers.Object(EMBEDDER))
    return container.resources()


@pytest.mark.parametrize("agent", [lamina.WORLD_AGENT, assistant()], ids=["world", "assistant"])
def test_every_verb_does_what_the_model_says(
    agent: lamina.AgentMemorySpec, postgres_server: Server, template: Template
) -> None:
    check_vocabulary(EMBEDDER)
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    database = postgres_server.database(template(agent, model).name)
    bases = [resources(url, agent) for url in (":memory:", database.url)]

    class Machine(VerbMachine):
        spec = agent
        latest = CountedIds().count

        def open_sides(self, clock: TurnedClock) -> list[Side]:
            ids = [CountedIds(self.latest) for _ in bases]
            self.opened = ids
            both = zip(bases, ids, strict=True)
            return [Side(lamina.Memory(replace(base, clock=clock, ids=counted)), counted) for base, counted in both]

        def teardown(self) -> None:
            Machine.latest = max([self.latest, *(counted.count for counted in getattr(self, "opened", ()))])

    try:
        run_state_machine_as_test(Machine, settings=HISTORIES)
    finally:
        for base in bases:
            base.store.close()
        database.drop()
