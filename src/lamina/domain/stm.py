"""How a loop summary scores in short-term memory (C): the seed's formula, as it stands there."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Annotated

from pydantic import Field

from lamina.domain.events import EventKind, EventVisibility
from lamina.domain.frozen import Frozen, FrozenMap, Weight
from lamina.domain.numbers import checked_number


class Identity(Frozen):
    """The heuristics that an agent's identity configures. A kind or visibility that is not named is not boosted."""

    recency_half_life_seconds: Annotated[float, Field(gt=0)] = 86_400.0
    kind_boosts: FrozenMap[EventKind, Weight] = FrozenMap()
    visibility_boosts: FrozenMap[EventVisibility, Weight] = FrozenMap()
    w_similarity: Weight = 0.7
    w_recency: Weight = 0.3


def stm_score(
    token_set_ratio: float,
    age_seconds: float,
    kind: EventKind,
    visibility: EventVisibility,
    identity: Identity,
) -> float:
    """`token_set_ratio` is RapidFuzz's, from 0 to 100, of the normalized query and summary."""
    similarity = checked_number(token_set_ratio, "token_set_ratio", at_least=0, at_most=100) / 100.0
    age = max(checked_number(age_seconds, "age_seconds"), 0.0)
    recency = exp(-log(2) * age / identity.recency_half_life_seconds)
    boost = identity.kind_boosts.get(kind, 1.0) * identity.visibility_boosts.get(visibility, 1.0)
    return (identity.w_similarity * similarity + identity.w_recency * recency) * boost


def stm_scores(
    token_set_ratios: Sequence[float],
    last_seconds: Sequence[float],
    words: Sequence[tuple[str, str]],
    now_seconds: float,
    identity: Identity,
) -> list[float]:
    """The score of each of many summaries, by `stm_score`: a kind and a visibility are looked up once."""
    boosts = {
        pair: identity.kind_boosts.get(EventKind(pair[0]), 1.0)
        * identity.visibility_boosts.get(EventVisibility(pair[1]), 1.0)
        for pair in set(words)
    }
    similar, recent = identity.w_similarity, identity.w_recency
    falling = -log(2)
    half_life = identity.recency_half_life_seconds
    # To the last bit what `stm_score` gives: the same operations in the same order.
    return [
        (similar * (ratio / 100.0) + recent * exp(falling * max(now_seconds - last, 0.0) / half_life)) * boosts[pair]
        for ratio, last, pair in zip(token_set_ratios, last_seconds, words, strict=True)
    ]
