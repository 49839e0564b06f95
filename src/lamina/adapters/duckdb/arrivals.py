"""Rows on their way to a shelf."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from lamina.adapters.duckdb.arrays import Array

_APART: Final = "\x1f"
_FREQUENCY: Final = np.dtype("<u4")


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents as the table keeps them: their terms as one text each, and how often each term is in it as bytes."""

    terms: Sequence[str]
    frequencies: Sequence[bytes]
    lengths: Sequence[int] | Array

    def every_term(self) -> list[str]:
        """The terms of all of them, in order. One text is taken apart faster than many."""
        return _APART.join(filter(None, self.terms)).split(_APART)

    def every_frequency(self) -> Array:
        """How often each of them is in its document."""
        return np.frombuffer(b"".join(self.frequencies), dtype=_FREQUENCY)

    def sizes(self) -> Array:
        """How many different terms each document has."""
        return np.fromiter(map(len, self.frequencies), dtype=np.int64) // _FREQUENCY.itemsize


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Rows with all that searches look at."""

    columns: Mapping[str, Array]
    vectors: Sequence[bytes]
    have_vectors: Array
    """Which of the rows the vectors are of."""
    documents: Documents


def joined(terms: Iterable[str]) -> str:
    """Terms as one text. They are kept apart by what no lexeme has in it, and what a label escapes."""
    return _APART.join(terms)


def is_whole(text: str, count: int) -> bool:
    """Whether a text falls apart into so many terms again."""
    return text.count(_APART) == max(count - 1, 0)


def as_bytes(frequencies: Iterable[int]) -> bytes:
    """Numbers as the table keeps them."""
    return array("I", frequencies).tobytes()
