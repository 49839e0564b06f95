"""Recall at a glance answers what recall step by step answers, whatever has happened since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

import lamina
from lamina.application import recall
from lamina.application.glance import glanced
from lamina.application.names import MOST_ANCHORS, MOST_NAMES, KnownNames
from lamina.domain.ids import AnchorId
from lamina.domain.retrieval import BUNDLED
from lamina.domain.signals import Signal
from lamina.testing.samples import uuid

if TYPE_CHECKING:
    from tests.conftest import Server, Template

QUESTIONS = ["what did Ann say of the gate?", "Bob!", "the", "tomatoes in Lisbon in May 2026", "数据", "Ann Bob", "?"]


class Glanced:
    """How often a glance answered, and how often it did not."""

    def __init__(self) -> None:
        self.answers: list[bool] = []

    def __call__(self, *asked: Any) -> list[lamina.Hit] | None:
        hits = glanced(*asked)
        self.answers.append(hits is not None)
        return hits


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Glanced:
    looks = Glanced()
    monkeypatch.setattr(recall, "glanced", looks)
    return looks


@pytest.fixture
def ann(postgres_server: Server, template: Template) -> Iterator[lamina.AnchoredMemory]:
    database = postgres_server.database(template(lamina.ASSISTANT_AGENT, BUNDLED).name)
    with lamina.open(database.url) as memory:
        ann = memory.at(user_id="ann")
        with ann.session() as session:
            for number in range(30):
                said = ("the gate wants citations", "tomatoes from Lisbon", "Why?", "because")[number % 4]
                session.observe(f"{said} {number % 7}", tags={"speaker": ("Ann", "Bob")[number % 3 % 2]})
        ann.prefer("Short answers about the gate", claim=lamina.Claim("ann", "style", "short"))
        yield ann
    database.drop()


def told(hits: list[lamina.Hit]) -> list[tuple[object, ...]]:
    return [(hit.record, hit.why, hit.confirmations, hit.confirmed_at) for hit in hits]


def step_by_step(ann: lamina.AnchoredMemory, question: str, limit: int, **more: Any) -> list[lamina.Hit]:
    """Two questions are never asked at a glance."""
    return ann.recall_many([question, question], limit, **more)[0]


def test_it_answers_what_recall_step_by_step_answers(ann: lamina.AnchoredMemory, looks: Glanced) -> None:
    for _ in range(2):
        for question in QUESTIONS:
            for limit in (1, 10, 100):
                assert told(ann.recall(question, limit)) == told(step_by_step(ann, question, limit))
        tags = {"speaker": "Bob"}
        assert told(ann.recall("gate", tags=tags)) == told(step_by_step(ann, "gate", 10, tags=tags))
        only = [lamina.Typology.PROCEDURAL]
        assert told(ann.recall("gate", typologies=only)) == told(step_by_step(ann, "gate", 10, typologies=only))
    assert looks.answers.count(False) <= 2, "once for each name that is first met"


def test_what_was_written_or_retired_since_counts_at_once(ann: lamina.AnchoredMemory, looks: Glanced) -> None:
    assert ann.recall("answers about the gate")[0].record.body == "Short answers about the gate"
    ann.prefer("Long answers about the gate", claim=lamina.Claim("ann", "style", "long"))
    bodies = [hit.record.body for hit in ann.recall("answers about the gate", 100)]
    assert "Long answers about the gate" in bodies
    assert "Short answers about the gate" not in bodies
    (fact,) = [hit.record for hit in ann.recall("gate", 100) if hit.record.body.startswith("Long")]
    ann.archive(fact.id, reason="no longer")
    assert fact.id not in {hit.record.id for hit in ann.recall("gate", 100)}
    assert all(looks.answers)


def test_a_name_that_is_new_is_a_name_at_once(ann: lamina.AnchoredMemory, looks: Glanced) -> None:
    assert Signal.TAGS not in ann.recall("what of Carol?")[0].why
    with ann.session() as session:
        session.observe("I am new", tags={"speaker": "Carol"})
    assert ann.recall("Carol!", 1)[0].record.body == "I am new"
    assert looks.answers[-1] is False
    assert told(ann.recall("Carol!", 3)) == told(step_by_step(ann, "Carol!", 3))
    assert looks.answers[-1] is True


def test_a_record_that_changed_between_two_looks_is_asked_for_again(
    ann: lamina.AnchoredMemory, looks: Glanced, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = told(step_by_step(ann, "gate", 5))
    glances = type(ann._resources.store.glances)
    monkeypatch.setattr(glances, "records", lambda *_: {})
    assert told(ann.recall("gate", 5)) == expected
    assert looks.answers == [False]


def test_what_is_narrowed_is_asked_for_step_by_step(ann: lamina.AnchoredMemory, looks: Glanced) -> None:
    now = ann.recall("gate")[0].record.validity.valid_at
    assert ann.recall("gate", since=now)
    assert ann.recall("gate", until=now) is not None
    assert ann.recall("gate", include_retired=True)
    assert ann.as_of(now).recall("gate") is not None
    assert looks.answers == [True, False, False, False, False]


def test_nothing_is_embedded_in_vain(ann: lamina.AnchoredMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = type(ann._resources.embedder)
    queries, embedded = embedder.queries, []

    def counted(self: Any, texts: Sequence[str]) -> Sequence[bytes]:
        embedded.append(texts)
        return queries(self, texts)

    monkeypatch.setattr(embedder, "queries", counted)
    for question in ("gate", " ".join(f"word{number}" for number in range(300)), "tomatoes"):
        ann.recall(question)
    assert len(embedded) == 3


def test_names_are_bounded() -> None:
    names = KnownNames()
    one, many = AnchorId(uuid("one")), frozenset(f"name {number}" for number in range(MOST_NAMES))
    names.learn(one, [], many)
    names.learn(one, ["name 1", "Bob"], frozenset({"Bob"}))
    assert len(names.of(one)) == MOST_NAMES
    names.learn(one, [], frozenset({"one more"}))
    assert names.of(one) == {"one more"}
    for number in range(MOST_ANCHORS):
        names.learn(AnchorId(uuid(f"{number}")), [], frozenset({"x"}))
    assert names.of(one) == frozenset()
