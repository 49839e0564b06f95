"""The merger, against a server that speaks the protocol: texts, none, and everything that can go wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.adapters.llm.conftest import Server

from lamina.adapters.llm.openai_merger import OpenAIMerger
from lamina.ports.merger import Merged
from lamina.testing.contracts import MergerContract


@pytest.fixture
def merger(server: Server) -> Iterator[OpenAIMerger]:
    merger = OpenAIMerger(server.url, "small", patience=0.5)
    yield merger
    merger.close()


class TestContract(MergerContract):
    @pytest.fixture(autouse=True)
    def answer(self, server: Server) -> None:
        server.says(json.dumps({"text": "The gate wants two citations", "reason": "one has the number"}))

    @pytest.fixture
    def speechless(self) -> Iterator[OpenAIMerger]:
        merger = OpenAIMerger("http://127.0.0.1:1/v1", "small")
        yield merger
        merger.close()


def test_it_writes_one_text_and_says_why(server: Server, merger: OpenAIMerger) -> None:
    server.says(json.dumps({"text": "The gate wants two citations", "reason": "one has the number"}))
    assert merger.merge(["The gate wants citations", "two"]) == Merged(
        "The gate wants two citations", "one has the number"
    )
    (asked,) = server.asked
    assert json.loads(asked["messages"][1]["content"]) == {"notes": ["The gate wants citations", "two"]}


@pytest.mark.parametrize("nothing", [None, ""])
def test_it_may_leave_them_apart(server: Server, merger: OpenAIMerger, nothing: str | None) -> None:
    server.says(json.dumps({"text": nothing}))
    assert merger.merge(["a", "b"]) == Merged(None, "they are about several things")


@pytest.mark.parametrize(
    ("answer", "status", "why"),
    [
        (b"not json", 200, "its answer cannot be read"),
        ({"choices": [{"message": {"content": "{}"}}]}, 200, "its answer cannot be read"),
        ({"choices": [{"message": {"content": '{"text": 7}'}}]}, 200, "its answer cannot be read"),
        ({"choices": [{"message": {"content": None, "refusal": "I cannot"}}]}, 200, "it refused to answer"),
        ({}, 500, "its server answered 500"),
    ],
)
def test_whatever_goes_wrong_is_no_answer(
    server: Server, merger: OpenAIMerger, answer: Any, status: int, why: str
) -> None:
    server.answer, server.status = answer, status
    assert merger.merge(["a", "b"]) == Merged(None, why, ask_again=True)


def test_a_slow_server_is_not_waited_for(server: Server, merger: OpenAIMerger) -> None:
    server.hold.clear()
    assert merger.merge(["a", "b"]) == Merged(None, "it did not answer in time", ask_again=True)
