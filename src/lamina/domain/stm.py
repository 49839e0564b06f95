"""How a loop summary scores in short-term memory (C): how alike, how recent, times what its kind is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
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
    """The score of each of many summaries, to the last bit what `stm_score` gives: the same operations in one order."""
    similar, recent = identity.w_similarity, identity.w_recency
    falling, half_life = -log(2), identity.recency_half_life_seconds
    return [
        (similar * (ratio / 100.0) + recent * exp(falling * (age if age > 0.0 else 0.0) / half_life)) * boost  # noqa: FURB136 (a call for each of ten thousand costs more)
        for ratio, age, boost in zip(
            token_set_ratios, [now_seconds - last for last in last_seconds], _boosts(words, identity), strict=False
        )
    ]


def _boosts(words: Sequence[tuple[str, str]], identity: Identity) -> Iterable[float]:
    """What each kind and visibility is multiplied by; each pair is looked up once."""
    if not identity.kind_boosts and not identity.visibility_boosts:
        return repeat(1.0)
    known = {
        (kind, visibility): identity.kind_boosts.get(EventKind(kind), 1.0)
        * identity.visibility_boosts.get(EventVisibility(visibility), 1.0)
        for kind, visibility in set(words)
    }
    return map(known.__getitem__, words)
