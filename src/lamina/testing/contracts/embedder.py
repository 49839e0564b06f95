"""What every embedder keeps its word on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.domain.embedding import check_vector, cosine
from lamina.ports.embedder import Embedder
from lamina.testing.contracts.records import SHARED
from lamina.testing.strategies import texts

NEARLY = 1e-5


class EmbedderContract:
    """One unit vector a text, the same each time, in whatever company. A fixture `embedder` gives one."""

    @settings(max_examples=40, deadline=None, suppress_health_check=SHARED)
    @given(several=st.lists(texts(), min_size=1, max_size=5))
    def test_vectors_are_whole_and_of_unit_length(self, embedder: Embedder, several: list[str]) -> None:
        vectors = [*embedder.documents(several), embedder.query(several[0])]
        assert len(vectors) == len(several) + 1
        for vector in vectors:
            check_vector(vector)
            assert len(vector) == 4 * embedder.dimension
            assert cosine(vector, vector) == pytest.approx(1.0, abs=NEARLY)

    def test_a_text_has_one_vector(self, embedder: Embedder) -> None:
        twice = [embedder.documents(["the gate wants citations"])[0] for _ in range(2)]
        assert twice[0] == twice[1]

    def test_company_does_not_matter_but_for_rounding(self, embedder: Embedder) -> None:
        alone = embedder.documents(["the gate wants citations"])[0]
        crowd = embedder.documents(["a much longer text " * 60, "the gate wants citations", "x"])[1]
        assert cosine(alone, crowd) == pytest.approx(1.0, abs=NEARLY)

    def test_alike_texts_are_nearer(self, embedder: Embedder) -> None:
        query = embedder.query("what does the gate require?")
        near, far = embedder.documents(["the gate does require citations", "lunch is at noon on Sundays"])
        assert cosine(query, near) > cosine(query, far)

    def test_nothing_to_embed(self, embedder: Embedder) -> None:
        assert list(embedder.documents([])) == []
