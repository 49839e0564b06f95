"""P5, retrieval: the signal mix, how it is fused, and which tiers are asked."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lamina.domain.embedding import Embedding, check_vector
from lamina.domain.errors import WrongModel
from lamina.domain.frozen import Count, Frozen, FrozenMap, Weight, Words
from lamina.domain.scoring import AnyScoring, ReciprocalRank
from lamina.domain.signals import Signal
from lamina.domain.tier import Tier


class EmbeddingChoice(Frozen):
    """The model that vectors come from. Two models are never compared."""

    model: Words
    dimension: Annotated[int, Field(ge=1, le=16_000)]

    def check(self, what: str, model: str, vector: bytes) -> None:
        """Refuses a vector that is not of this model and dimension, or that cannot be compared at all."""
        check_vector(vector)
        self.fits(what, model, len(vector) // 4)

    def gave(self, embedding: Embedding) -> bool:
        """Whether a vector is of this model and dimension."""
        return embedding.dimension == self.dimension and embedding.model == self.model

    def fits(self, what: str, model: str, numbers: int) -> None:
        """Refuses what is not of this model and dimension."""
        if numbers != self.dimension or model != self.model:
            raise WrongModel(
                what,
                f"is a vector of {model} ({numbers} numbers)",
                f"the store's are of {self.model} ({self.dimension} numbers): embed it with that",
            )


PINNED = EmbeddingChoice(model="BAAI/bge-small-en-v1.5", dimension=384)
BUNDLED = EmbeddingChoice(model="wordllama/l2_supercat_256", dimension=256)
"""A static model that ships inside a package: no download, no accelerator."""


class RetrievalModel(Frozen):
    """How memory enters the agent's reasoning."""

    signals: Annotated[FrozenMap[Signal, Weight], Field(min_length=1)]
    scoring: AnyScoring = ReciprocalRank()
    tiers: Annotated[FrozenMap[Tier, Weight], Field(min_length=1)]
    """The tiers that are asked, and what each one's candidates weigh."""
    embedding: EmbeddingChoice = PINNED
    rerank_best: Count | None = None
    """How many of the best a reranker orders anew; none by default."""
    because: Words | None = None
    """Why it departs from the field default; needed if it does."""
