"""The cross-encoder adapter, on a tiny model that is made here: what it says is chance, that it says it is not.

Run by `make test-transformers`, in an environment of its own: torch is too heavy for everyone's.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import BertProcessing

import lamina
from lamina.adapters.embedding.cross_encoder import CrossEncoderReranker
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.errors import StoreUnavailable
from lamina.ports.reranker import Reranker
from lamina.testing.contracts import RerankerContract

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = {
    word: place
    for place, word in enumerate(
        [
            *SPECIAL,
            *["the", "gate", "wants", "citations", "lunch", "is", "at", "noon", "what", "does", "it", "want", "?"],
        ]
    )
}


def made(folder: Path, labels: int = 1) -> str:
    """A BERT of one layer with random weights, saved as a hub would have it."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=1.0,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = BertProcessing(("[SEP]", VOCABULARY["[SEP]"]), ("[CLS]", VOCABULARY["[CLS]"]))
    names = dict(zip(("pad", "unk", "cls", "sep", "mask"), SPECIAL, strict=True))
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=64, **{f"{name}_token": word for name, word in names.items()}
    ).save_pretrained(folder)
    return str(folder)


class TestContract(RerankerContract):
    @pytest.fixture
    def reranker(self, tmp_path: Path) -> Reranker:
        return CrossEncoderReranker(made(tmp_path / "tiny"))


def test_every_text_gets_a_score_and_the_same_one_again(tmp_path: Path) -> None:
    reranker = CrossEncoderReranker(made(tmp_path / "tiny"))
    texts = ["the gate wants citations", "lunch is at noon", "the " * 5_000, "東京 🙂"]
    scores = reranker.scores("what does the gate want ?", texts)
    assert len(scores) == len(texts)
    assert all(math.isfinite(score) for score in scores)
    assert reranker.scores("what does the gate want ?", texts) == pytest.approx(scores)
    assert len(set(scores[:2])) == 2, "it reads the text"
    assert reranker.scores("the gate", texts[:1]) != scores[:1], "and the query"
    assert reranker.scores("anything", []) == []


def test_recall_is_ordered_by_it(tmp_path: Path) -> None:
    base = lamina.ASSISTANT_AGENT
    model = type(base.retrieval)(**{**dict(base.retrieval), "rerank_best": 5})
    reranker = lamina.find_reranker(made(tmp_path / "tiny"))
    spec = base.model_copy(update={"retrieval": model})
    with lamina.open(":memory:", spec=spec, embedder=HashingEmbedder(), reranker=reranker) as memory:
        ann = memory.at(user_id="ann")
        with ann.session() as session:
            for text in ("the gate wants citations", "lunch is at noon", "what does it want ?"):
                session.observe(text)
        hits = ann.recall("the gate")
        scores = [hit.reranked or 0.0 for hit in hits]
        assert len(hits) == 3
        assert scores == sorted(scores, reverse=True)


def test_what_cannot_be_loaded_or_does_not_score_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="cannot be loaded"):
        CrossEncoderReranker(str(tmp_path / "nowhere"))
    with pytest.raises(StoreUnavailable, match="gives 3 numbers for a pair"):
        CrossEncoderReranker(made(tmp_path / "classes", labels=3))
