"""The best of many, by columns: nothing is sorted that is not among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from lamina.domain.outline import Column

_BLOCK: Final = 64


def best(limit: int, scores: Column, ties: Callable[[Column], Sequence[Column]]) -> Column:
    """Where the best are: those with the highest scores. Where equals meet the limit, `ties` says of some places by
    which columns they are told apart: those with the highest first, among equals the highest second, and so on."""
    if not 0 < limit < len(scores):
        return np.arange(min(limit, len(scores)))
    last = reached(scores, limit)
    chosen: Column = (scores >= last).nonzero()[0]
    if len(chosen) == limit:
        return chosen
    # Only what is equal at the limit is looked at by the next key.
    equal = scores[chosen] == last
    sure, tied = chosen[~equal], chosen[equal]
    return np.concatenate([sure, tied[_first(limit - len(sure), ties(tied))]])


def _first(limit: int, keys: Sequence[Column]) -> Column:
    if not keys:
        return np.arange(limit)
    key, *others = keys
    return best(limit, key, lambda tied: [other[tied] for other in others])


def reached(values: Column, limit: int) -> Any:
    """What the highest values reach: so many of them, of at least as many, are not below it."""
    blocks = len(values) // _BLOCK
    if limit <= blocks:
        # The highest of a block is one of the values: what the best blocks reach, at least as many values reach.
        highest = values[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
        values = values[values >= np.partition(highest, blocks - limit)[blocks - limit]]
    apart = values.copy()
    apart.partition(len(apart) - limit)
    return apart[len(apart) - limit]
