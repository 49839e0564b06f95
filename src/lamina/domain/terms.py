"""What a record is found by exactly: the lexemes of its body, and the labels of its envelope. Both are terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Final

LONGEST_LEXEME: Final = 64
"""Whatever is longer is no word; an index cannot hold a term of any length."""


@dataclass(frozen=True, slots=True)
class Document:
    """A record as its terms, with how often each stands in it, and its length in lexemes."""

    terms: Mapping[str, int]
    length: int


def label(name: str, value: str) -> str:
    """A tag as a term. It begins with a bracket, as no lexeme does, and no two tags run together."""
    return f"[{encode_basestring(name)}, {encode_basestring(value)}]"


def document(lexemes: Sequence[str], tags: Mapping[str, str]) -> Document:
    """The document of a record with these lexemes, in order and with repetitions, and these tags."""
    counted = Counter(lexemes)
    for tag in tags.items():
        counted[label(*tag)] = 1
    return Document(counted, len(lexemes))
