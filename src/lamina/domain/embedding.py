"""A vector and the model that it comes from. Two models are never compared."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lamina.domain.errors import NotANumber, OutOfRange, WrongModel, WrongType
from lamina.domain.ids import EmbeddingId
from lamina.domain.text import checked_text

_EXPONENT: Final = 3 if sys.byteorder == "little" else 0
"""Which byte of a float32 has its sign and most of its exponent."""
_SMALL: Final = bytes(byte for byte in range(256) if byte & 0x7F < 0x3C)
"""That byte of numbers below 1/128. A unit vector of up to 16,384 numbers has a larger one."""
_UP_TO_TWO: Final = bytes(byte for byte in range(256) if byte & 0x7F < 0x40)
_SHORTEST: Final = 1e-15
_LONGEST: Final = 1e15
"""Beyond these, squares of float32 leave what a float32 can say, and a cosine is no number any more."""


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


def check_vector(vector: bytes, what: str = "vector") -> None:
    """Refuses what cannot be compared: no numbers, half a number, NaN or an infinity."""
    if not vector or len(vector) % 4:
        raise OutOfRange(what, f"has {len(vector)} bytes", "give four bytes (float32) for each of its numbers")
    # A float32 that is NaN or infinite has an exponent of ones: nearly every vector has no such byte in it at all.
    exponents = vector[_EXPONENT::4]
    if (b"\x7f" in exponents or b"\xff" in exponents) and not all(map(math.isfinite, array("f", vector))):
        raise NotANumber(what, "has NaN or an infinity in it", "check what the embedder gave for this text")


def check_given(vectors: Sequence[bytes], count: int, model: str, dimension: int) -> None:
    """Refuses what an embedder gave, if it is not a vector for each text, of its dimension and with a direction."""
    what = f"what {model} gave"
    if not isinstance(vectors, Sequence):
        raise WrongType(what, f"is a {type(vectors).__name__}", "give a list with a vector for each text")
    if len(vectors) != count:
        raise WrongModel(
            f"model {model}", f"gave {len(vectors)} vectors for {count} texts", "an embedder gives one for each"
        )
    for vector in vectors:
        if not isinstance(vector, bytes):
            raise WrongType(what, f"is a {type(vector).__name__}", "give its numbers as float32 bytes")
        if len(vector) != 4 * dimension:
            check_vector(vector, what)
            raise WrongModel(what, f"has {len(vector) // 4} numbers", f"it says that its vectors have {dimension}")
        if not _is_like_a_unit(vector):
            check_vector(vector, what)
            _check_length(vector, what)


def _is_like_a_unit(vector: bytes) -> bool:
    """Whether one of its numbers is like those of a unit vector, and none is larger: of every text it is asked."""
    exponents = vector[_EXPONENT::4]
    return bool(exponents.lstrip(_SMALL)) and not exponents.translate(None, _UP_TO_TWO)


def _check_length(vector: bytes, what: str) -> None:
    length = math.hypot(*array("f", vector))
    if not _SHORTEST <= length <= _LONGEST:
        raise OutOfRange(what, f"is a vector of length {length:g}", "an embedder gives each text one of length 1")


def cosine(one: bytes, other: bytes) -> float:
    """How alike two unit vectors of one model are: for a few pairs; a store compares many."""
    return sum(a * b for a, b in zip(array("f", one), array("f", other), strict=True))
