"""Texts and vectors to measure with: the same on every run, and of a stated length."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

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
    words: list[str] = []
    while sum(map(len, words)) + len(words) < characters:
        words.append(chance.choice(WORDS))
    return " ".join(words)[:characters]


def unit_vectors(count: int, dimension: int, seed: int = 7) -> np.ndarray[Any, Any]:
    """So many random unit vectors."""
    matrix = np.random.default_rng(seed).standard_normal((count, dimension), dtype=np.float32)
    units: np.ndarray[Any, Any] = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return units
