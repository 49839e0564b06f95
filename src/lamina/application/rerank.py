"""Reranking: a model reads the best beside the query, and says in which order they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lamina.application.hit import Hit
from lamina.application.query import Query
from lamina.application.resources import Resources
from lamina.domain.errors import StoreError
from lamina.domain.numbers import checked_number


def candidates_wanted(resources: Resources, limit: int) -> int:
    """How many of the best are needed to answer with so many."""
    return max(limit, resources.spec.retrieval.rerank_best or 0) if resources.reranker else limit


def reranked(resources: Resources, query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits with the best ordered anew, if there is a reranker; among equals the order stays."""
    most = resources.spec.retrieval.rerank_best
    if resources.reranker is None or not most or not hits:
        return list(hits)[: query.limit]
    best, rest = hits[:most], hits[most:]
    try:
        scores = [float(one) for one in resources.reranker.scores(query.text, [hit.record.body for hit in best])]
    except (TypeError, ValueError) as error:
        raise StoreError("reranker", f"gave what is no number: {error}", "give one for each text") from error
    if len(scores) != len(best):
        raise StoreError("reranker", f"gave {len(scores)} scores for {len(best)} texts", "give one for each")
    read = [
        replace(hit, reranked=checked_number(score, f"reranker's score of {hit.record.id}"))
        for hit, score in zip(best, scores, strict=True)
    ]
    return [*sorted(read, key=lambda hit: -(hit.reranked or 0.0)), *rest][: query.limit]
