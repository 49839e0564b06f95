"""Every embedder keeps the same word: one unit vector a text, the same each time, in whatever company."""

import json
import subprocess
import sys
from array import array

import numpy as np
import pytest

from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.embedding import check_vector
from lamina.domain.errors import NotANumber, OutOfRange
from lamina.ports.embedder import Embedder
from lamina.testing.contracts import EmbedderContract

BUNDLED = BundledEmbedder()


class TestBundled(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return BUNDLED


class TestHashing(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder(dimension=32)


@pytest.mark.parametrize("embedder", [BUNDLED, HashingEmbedder()], ids=["bundled", "hashing"])
def test_company_does_not_matter_to_the_last_bit(embedder: Embedder) -> None:
    alone = embedder.documents(["the gate wants citations"])[0]
    crowd = embedder.documents(["a much longer text " * 400, "the gate wants citations", "x"])[1]
    assert alone == crowd


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
