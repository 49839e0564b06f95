"""The best of many, by columns: nothing is sorted that is not among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from lamina.domain.outline import Column

_BLOCK: Final = 64


def best(limit: int, scores: Column, ties: Callable[[Column], Sequence[Column]]) -> Column:
    """Where the best are: those with the highest scores. Where equals meet the limit, `ties` says of some places by
    which columns they are told apart: those with the highest first, among equals the highest second, and so on."""
    sure, tied = _parted(limit, scores, foremost(scores, limit))
    if len(sure) + len(tied) <= limit:
        return np.concatenate([sure, tied])
    return np.concatenate([sure, tied[_first(limit - len(sure), ties(tied))]])


def _first(limit: int, keys: Sequence[Column]) -> Column:
    """Only what is equal at the limit is looked at by the next key, and nothing is sorted."""
    pool = np.arange(len(keys[0]))
    sure = [pool[:0]]
    for key in keys:
        more, pool = _parted(limit, key, pool)
        limit -= len(more)
        sure.append(more)
    return np.concatenate([*sure, pool[:limit]])


def _parted(limit: int, key: Column, pool: Column) -> tuple[Column, Column]:
    """Those of the pool that are among the first by the key, and those that it does not tell apart at the limit."""
    if len(pool) <= limit or not limit:
        return (pool, pool[:0]) if limit else (pool[:0], pool[:0])
    values = key[pool]
    last = np.partition(values, len(pool) - limit)[len(pool) - limit]
    return pool[values > last], pool[values == last]


def foremost(values: Column, limit: int) -> Column:
    """Where the highest values are: at least so many, if there are, and not many more of a great number."""
    blocks = len(values) // _BLOCK
    if not 0 < limit <= blocks:
        return np.arange(len(values))
    # The highest of a block is one of the values: what the best blocks reach, at least as many values reach.
    highest = values[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
    return np.flatnonzero(values >= np.partition(highest, blocks - limit)[blocks - limit])
