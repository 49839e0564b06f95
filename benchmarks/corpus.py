"""Texts and vectors to measure with: the same on every run, and of a stated length.

Words are drawn as in a language, a few of them often and most of them seldom (Zipf), from a vocabulary of 20,000: what
remembers words is not flattered by a text that has only fifty.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import accumulate, product
from typing import Any

import numpy as np

VOCABULARY = 20_000

WORDS = """
    gate citation threshold operator proposal source claim audit signal domain rule version review draft evidence
    policy customer record chain pattern override candidate session memory promotion conflict retention budget prompt
    window summary event loop persona anchor tier typology envelope reason outcome decision history corroboration
""".split()  # noqa: SIM905 (words read better as words)


def texts(count: int, characters: int = 120, seed: int = 7) -> list[str]:
    """So many different texts of about so many characters."""
    chance = random.Random(seed)
    return [f"{number} {_prose(chance, characters - 8)}" for number in range(count)]


def _prose(chance: random.Random, characters: int) -> str:
    words, weights = _vocabulary()
    # A word has two characters at least, and a blank behind it.
    drawn = chance.choices(words, cum_weights=weights, k=characters // 3)
    return " ".join(drawn)[:characters].rstrip()


@cache
def _vocabulary() -> tuple[list[str], list[float]]:
    """Words that can be said, each with its weight added to those before it."""
    syllables = ["".join(parts) for parts in product("bcdfglmnprstv", "aeiou", ["", "n", "r", "s"])]
    longer = ["".join(parts) for parts in product(syllables, syllables)]
    random.Random(1).shuffle(longer)
    words = [*WORDS, *longer][:VOCABULARY]
    return words, list(accumulate(1 / rank for rank in range(1, len(words) + 1)))


def unit_vectors(count: int, dimension: int, seed: int = 7) -> np.ndarray[Any, Any]:
    """So many random unit vectors."""
    matrix = np.random.default_rng(seed).standard_normal((count, dimension), dtype=np.float32)
    units: np.ndarray[Any, Any] = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return units
