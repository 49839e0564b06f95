"""The same history on both back ends: the same answers, in the same order, for the same reasons."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from dependency_injector import providers
from tests.application.conftest import Clock

import lamina
from lamina.composition.container import Container
from lamina.domain.retrieval import BUNDLED
from lamina.domain.signals import Signal

if TYPE_CHECKING:
    from tests.conftest import Server, Template


class Counting:
    """The same ids on every run."""

    def __init__(self) -> None:
        self._next = count(1)

    def new(self) -> UUID:
        return UUID(int=next(self._next))


def opened(url: str) -> lamina.Memory:
    container = Container(url=url, spec=lamina.ASSISTANT_AGENT)
    container.clock.override(providers.Object(Clock()))
    container.ids.override(providers.Object(Counting()))
    return container.memory()


WORDS = (
    "gate citation puppy shelter tomato garden Lisbon river music window letter doctor holiday bicycle".split()  # noqa: SIM905
)


def lived(memory: lamina.Memory) -> lamina.AnchoredMemory:
    ann = memory.at(user_id="ann")
    for sitting in range(6):
        with ann.session() as session:
            session.observe_many(
                [
                    lamina.Observation(
                        " ".join(WORDS[(sitting * 7 + turn * step) % len(WORDS)] for step in range(1, 3 + turn % 9)),
                        {"speaker": ("Ann", "Bob")[turn % 2]},
                    )
                    for turn in range(20)
                ]
            )
    ann.prefer("Short answers about the gate", claim=lamina.Claim("ann", "style", "short"))
    ann.prefer("Long answers about the gate", claim=lamina.Claim("ann", "style", "long"))
    memory.maintain()
    return ann


def test_both_back_ends_answer_alike(postgres_server: Server, template: Template) -> None:
    database = postgres_server.database(template(lamina.ASSISTANT_AGENT, BUNDLED).name)
    questions = ["what did Ann say of the gate?", "Bob's puppy", "the", "tomato garden in Lisbon", "数据", "Ann Bob"]
    with opened(":memory:") as embedded, opened(database.url) as served:
        here, there = lived(embedded), lived(served)
        for limit in (3, 10, 200):
            for ours, theirs in zip(
                here.recall_many(questions, limit), there.recall_many(questions, limit), strict=True
            ):
                assert [hit.record for hit in ours] == [hit.record for hit in theirs]
                for one, other in zip(ours, theirs, strict=True):
                    assert one.score == pytest.approx(other.score, abs=1e-4)
                    assert set(one.why) == set(other.why)
                    assert one.why.get(Signal.LEXICAL) == other.why.get(Signal.LEXICAL)
        block, twin = here.inject(questions[0], 600), there.inject(questions[0], 600)
        assert block.text == twin.text
    database.drop()
