"""A vector and the model that it comes from. Two models are never compared."""

from __future__ import annotations

import math
import sys
from array import array
from dataclasses import dataclass
from typing import Final

from lamina.domain.errors import NotANumber, OutOfRange
from lamina.domain.ids import EmbeddingId
from lamina.domain.text import checked_text

_EXPONENT: Final = 3 if sys.byteorder == "little" else 0
"""Which byte of a float32 has its sign and most of its exponent."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """A unit vector as float32 bytes, which every store can keep and numpy can read without a copy."""

    id: EmbeddingId
    model: str
    vector: bytes

    def __post_init__(self) -> None:
        checked_text(self.model, "embedding model", at_most=200)
        check_vector(self.vector)

    @property
    def dimension(self) -> int:
        """How many numbers it has."""
        return len(self.vector) // 4


def check_vector(vector: bytes) -> None:
    """Refuses what cannot be compared: no numbers, half a number, NaN or an infinity."""
    if not vector or len(vector) % 4:
        raise OutOfRange("vector", f"has {len(vector)} bytes", "give four bytes (float32) for each of its numbers")
    # A float32 that is NaN or infinite has an exponent of ones: nearly every vector has no such byte in it at all.
    exponents = vector[_EXPONENT::4]
    if (b"\x7f" in exponents or b"\xff" in exponents) and not all(map(math.isfinite, array("f", vector))):
        raise NotANumber("vector", "has NaN or an infinity in it", "check what the embedder gave for this text")


def cosine(one: bytes, other: bytes) -> float:
    """How alike two unit vectors of one model are: for a few pairs; a store compares many."""
    return sum(a * b for a, b in zip(array("f", one), array("f", other), strict=True))
