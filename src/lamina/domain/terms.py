"""What a record is found by exactly: the lexemes of its body, and the labels of its envelope. Both are terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import loads
from json.encoder import encode_basestring
from typing import Final

from lamina.domain.text import folded

LONGEST_LEXEME: Final = 64
"""Whatever is longer is no word; an index cannot hold a term of any length."""
MOST_WORDS: Final = 4
"""A name has no more."""
_MENTION: Final = '["", '


@dataclass(frozen=True, slots=True)
class Document:
    """A record as its terms, with how often each stands in it, and its length in lexemes."""

    terms: Mapping[str, int]
    length: int


def label(name: str, value: str) -> str:
    """A tag as a term. It begins with a bracket, as no lexeme does, and no two tags run together."""
    return f"[{encode_basestring(name)}, {encode_basestring(value)}]"


def mention(value: str) -> str:
    """A tag's value as a term of its own, so that it is found where a query names it. No tag has an empty name."""
    return mention_of(folded(value))


def mention_of(name: str) -> str:
    """The same of a value that is folded already."""
    return f"{_MENTION}{encode_basestring(name)}]"


def mentioned_by(term: str) -> str | None:
    """The value that a term stands for, as `mention_of` made it; None for any other term."""
    return loads(term)[1] if term.startswith(_MENTION) else None


def is_mentionable(value: str) -> bool:
    """Whether a query would name it: a few words, not a text."""
    return len(value) <= LONGEST_LEXEME and len(value.split()) <= MOST_WORDS


def document(lexemes: Sequence[str], tags: Mapping[str, str]) -> Document:
    """The document of a record with these lexemes, in order and with repetitions, and these tags."""
    counted = Counter(lexemes)
    if tags:
        counted.update({label(*tag): 1 for tag in tags.items()})
        counted.update(dict.fromkeys((mention(value) for value in tags.values() if is_mentionable(value)), 1))
    return Document(counted, len(lexemes))
