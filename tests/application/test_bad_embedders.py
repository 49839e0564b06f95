"""An embedder that gives what cannot be compared: each a named error, and nothing is written, on each back end."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.domain.errors import NotANumber, OutOfRange, WrongModel, WrongType

Spoil = Callable[[list[bytes]], Any]
NAN, ZERO, LESS_THAN_ZERO, TINY, HUGE = (
    array("f", [number] * EMBEDDER.dimension).tobytes() for number in (float("nan"), 0.0, -0.0, 1e-30, 1e30)
)


class Spoiling:
    """Gives what a good embedder gives, until it is told to spoil it. Only the last of many is spoilt."""

    model, dimension = EMBEDDER.model, EMBEDDER.dimension
    spoil: Spoil = staticmethod(lambda vectors: vectors)

    def documents(self, texts: Sequence[str]) -> Any:
        return self.spoil(EMBEDDER.documents(texts))

    def query(self, text: str) -> Any:
        (vector,) = self.documents([text])
        return vector

    def queries(self, texts: Sequence[str]) -> Any:
        return self.documents(texts)


@pytest.mark.parametrize(
    ("spoil", "error", "says"),
    [
        (lambda good: [*good[:-1], NAN], NotANumber, "what hashing/64 gave has NaN .*; check what the embedder gave"),
        (lambda good: [*good[:-1], good[-1] * 2], WrongModel, "what hashing/64 gave has 128 numbers; it says .* 64"),
        (lambda good: [*good[:-1], good[-1][:-1]], OutOfRange, "what hashing/64 gave has 255 bytes; give four bytes"),
        (lambda good: [*good[:-1], ZERO], OutOfRange, "what hashing/64 gave is a vector of length 0; "),
        (lambda good: [*good[:-1], LESS_THAN_ZERO], OutOfRange, "what hashing/64 gave is a vector of length 0; "),
        (lambda good: [*good[:-1], TINY], OutOfRange, "what hashing/64 gave is a vector of length 8e-30; "),
        (lambda good: [*good[:-1], HUGE], OutOfRange, r"what hashing/64 gave is a vector of length 8e\+30; "),
        (
            lambda good: [*good[:-1], [0.5] * 64],
            WrongType,
            "what hashing/64 gave is a list; give its numbers as float32",
        ),
        (iter, WrongType, "what hashing/64 gave is a list_iterator; give a list with a vector for each text"),
    ],
    ids=["NaN", "another dimension", "half a number", "zero", "-zero", "tiny", "huge", "numbers", "an iterator"],
)
def test_what_cannot_be_compared_is_not_written(url: str, spoil: Spoil, error: type[Exception], says: str) -> None:
    embedder = Spoiling()
    with lamina.open(url, spec=lamina.WORLD_AGENT, embedder=embedder) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        session = kyc.session()
        session.observe("good")
        embedder.spoil = spoil
        with pytest.raises(error, match=says):
            session.observe_many([lamina.Observation(f"thing {number}") for number in range(50)])
        with pytest.raises(error, match=says):
            kyc.prefer("Concise distillations")
        with pytest.raises(error, match=says):
            kyc.recall("good")
        embedder.spoil = Spoiling.spoil
        assert [hit.record.body for hit in kyc.recall("thing good", limit=99)] == ["good"]


FEW = "hashing/64 gave 1 vectors for 2 texts; an embedder gives one for each"


def test_a_vector_too_few_is_said(url: str) -> None:
    embedder = Spoiling()
    with lamina.open(url, spec=lamina.WORLD_AGENT, embedder=embedder) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        session = kyc.session()
        embedder.spoil = lambda vectors: vectors[:-1]
        with pytest.raises(WrongModel, match=FEW):
            session.observe_many([lamina.Observation("one"), lamina.Observation("two")])
        with pytest.raises(WrongModel, match=FEW):
            kyc.recall_many(["one", "two"])


def test_event_memory_is_not_asked_by_it_either(urls: Urls) -> None:
    embedder = Spoiling()
    with lamina.open(urls(lamina.CHAOS_AGENT), spec=lamina.CHAOS_AGENT, embedder=embedder) as memory:
        atlas = memory.at(agent_id="atlas")
        embedder.spoil = lambda vectors: [ZERO for _ in vectors]
        with atlas.do("Find the invoice of March") as loop:
            loop.actor_output("It is inv-3")
        with pytest.raises(OutOfRange, match="of length 0"):
            atlas.actor_view().rag_query("invoice")
        embedder.spoil = Spoiling.spoil
        # Nothing is lost by it: what waited for its vector gets it.
        assert memory.backfill().complete
        assert {hit.entry.text for hit in atlas.actor_view().rag_query("invoice")} >= {"Find the invoice of March"}


def test_a_store_is_not_given_it_anew(tmp_path: Path) -> None:
    with lamina.open(str(tmp_path / "memory.duckdb"), spec=lamina.WORLD_AGENT, embedder=EMBEDDER) as memory:
        memory.at(org_id="acme", domain_id="kyc").prefer("Concise distillations")
        following = Spoiling()
        following.spoil = lambda vectors: [ZERO for _ in vectors]
        following.model = "spoiling/64"
        with pytest.raises(OutOfRange, match="what spoiling/64 gave is a vector of length 0"):
            memory.reembed(following)
