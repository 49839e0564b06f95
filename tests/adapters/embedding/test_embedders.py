"""Every embedder keeps the same word: one unit vector a text, the same each time, in whatever company."""

import json
import subprocess
import sys
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.embedding import check_vector
from lamina.domain.errors import NotANumber, OutOfRange
from lamina.ports.embedder import Embedder
from lamina.testing.strategies import texts

EMBEDDERS: list[Embedder] = [BundledEmbedder(), HashingEmbedder(dimension=32)]


def cosine(one: bytes, other: bytes) -> float:
    return float(np.dot(np.frombuffer(one, dtype=np.float32), np.frombuffer(other, dtype=np.float32)))


@pytest.mark.parametrize("embedder", EMBEDDERS, ids=lambda embedder: embedder.model)
class TestEmbedders:
    @settings(max_examples=60, deadline=None)
    @given(several=st.lists(texts(), min_size=1, max_size=5))
    def test_vectors_are_whole_and_of_unit_length(self, embedder: Embedder, several: list[str]) -> None:
        vectors = embedder.documents(several)
        assert len(vectors) == len(several)
        for vector in vectors:
            check_vector(vector)
            assert len(vector) == 4 * embedder.dimension
            assert cosine(vector, vector) == pytest.approx(1.0, abs=1e-5)

    def test_company_does_not_matter(self, embedder: Embedder) -> None:
        alone = embedder.documents(["the gate wants citations"])[0]
        crowd = embedder.documents(["a much longer text " * 400, "the gate wants citations", "x"])[1]
        assert alone == crowd

    def test_alike_texts_are_nearer(self, embedder: Embedder) -> None:
        query = embedder.query("what does the gate require?")
        assert list(embedder.queries(["another", "what does the gate require?"]))[1] == query
        near, far = embedder.documents(["the gate does require citations", "lunch is at noon on Sundays"])
        assert cosine(query, near) > cosine(query, far)

    def test_nothing_to_embed(self, embedder: Embedder) -> None:
        assert list(embedder.documents([])) == []


def test_the_bundled_model_gives_what_its_package_gives() -> None:
    script = """
import json, pathlib, sys, wordllama
model = wordllama.WordLlama.load(cache_dir=pathlib.Path(wordllama.__file__).parent, disable_download=True)
print(json.dumps(model.embed(json.loads(sys.argv[1]), norm=True).tolist()))
"""
    several = ["The gate wants citations.", "Überprüfung der Schwellenwerte", "東京 🙂", "x " * 300]
    run = subprocess.run(
        [sys.executable, "-c", script, json.dumps(several)], capture_output=True, text=True, check=True
    )
    expected = np.array(json.loads(run.stdout.splitlines()[-1]), dtype=np.float32)
    ours = np.array([np.frombuffer(vector, dtype=np.float32) for vector in BundledEmbedder().documents(several)])
    np.testing.assert_allclose(ours, expected, atol=1e-5)


def test_the_bundled_model_leaves_the_process_alone() -> None:
    script = """
import logging, sys
from lamina.adapters.embedding.bundled import BundledEmbedder
BundledEmbedder().query("hello")
assert not logging.getLogger().handlers, logging.getLogger().handlers
assert "huggingface_hub" not in sys.modules
assert "wordllama" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    ("vector", "error"),
    [
        (b"", OutOfRange),
        (b"abc", OutOfRange),
        (array("f", [1.0, float("nan")]).tobytes(), NotANumber),
        (array("f", [float("inf"), 1.0]).tobytes(), NotANumber),
        (array("f", [float("inf"), float("-inf")]).tobytes(), NotANumber),
    ],
)
def test_what_cannot_be_compared_is_refused(vector: bytes, error: type[Exception]) -> None:
    with pytest.raises(error, match="vector"):
        check_vector(vector)
