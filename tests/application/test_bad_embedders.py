"""An embedder that gives what cannot be compared: each a named error, and nothing is written, on each back end."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import pytest
from tests.application.conftest import EMBEDDER

import lamina
from lamina.domain.errors import NotANumber, OutOfRange, WrongModel

Spoil = Callable[[list[bytes]], list[bytes]]
NAN = array("f", [float("nan")] * EMBEDDER.dimension).tobytes()


class Spoiling:
    """Gives what a good embedder gives, until it is told to spoil it. Only the last of many is spoilt."""

    model, dimension = EMBEDDER.model, EMBEDDER.dimension
    spoil: Spoil = staticmethod(lambda vectors: vectors)

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        return self.spoil(EMBEDDER.documents(texts))

    def query(self, text: str) -> bytes:
        return self.documents([text])[-1]

    def queries(self, texts: Sequence[str]) -> list[bytes]:
        return self.documents(texts)


@pytest.mark.parametrize(
    ("spoil", "error", "says"),
    [
        (lambda good: [*good[:-1], NAN], NotANumber, "has NaN .*; check what the embedder gave"),
        (lambda good: [*good[:-1], good[-1] * 2], WrongModel, r"\(128 numbers\); the store's are of hashing/64"),
        (lambda good: [*good[:-1], good[-1][:-1]], OutOfRange, "vector has 255 bytes; give four bytes"),
    ],
    ids=["NaN", "another dimension", "half a number"],
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


def test_a_vector_too_few_is_said(url: str) -> None:
    embedder = Spoiling()
    with lamina.open(url, spec=lamina.WORLD_AGENT, embedder=embedder) as memory:
        session = memory.at(org_id="acme", domain_id="kyc").session()
        embedder.spoil = lambda vectors: vectors[:-1]
        with pytest.raises(WrongModel, match="hashing/64 gave 1 vectors for 2 texts; an embedder gives one for each"):
            session.observe_many([lamina.Observation("one"), lamina.Observation("two")])
