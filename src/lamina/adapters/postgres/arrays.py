"""Arrays on their way to PostgreSQL, packed here in its binary format: the driver's own way takes much longer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from struct import Struct
from typing import Final

from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

_TEXT, _INTEGER = 25, 23
# One dimension, no NULL in it, of which type; how many, counted from 1.
_HEAD: Final = Struct("!5i")
_SIZE: Final = Struct("!i")


class PackedTexts(bytes):
    """A text[]."""

    __slots__ = ()

    @classmethod
    def of(cls, texts: Iterable[str]) -> PackedTexts:
        """The array of these texts."""
        parts = [_text(text) for text in texts]
        return cls(b"".join([_HEAD.pack(1, 0, _TEXT, len(parts), 1), *parts]))


class PackedIntegers(bytes):
    """An integer[]."""

    __slots__ = ()

    @classmethod
    def of(cls, numbers: Iterable[int]) -> PackedIntegers:
        """The array of these numbers."""
        parts = [_integer(number) for number in numbers]
        return cls(b"".join([_HEAD.pack(1, 0, _INTEGER, len(parts), 1), *parts]))


# Words come again and again, and so do small numbers: each is packed once, as long as it is remembered.
@lru_cache(maxsize=16_384)
def _text(text: str) -> bytes:
    encoded = text.encode()
    return _SIZE.pack(len(encoded)) + encoded


@lru_cache(maxsize=1_024)
def _integer(number: int) -> bytes:
    return _SIZE.pack(_SIZE.size) + _SIZE.pack(number)


class _AsItIs(Dumper):
    format = Format.BINARY

    def dump(self, obj: Buffer) -> Buffer:
        return obj


class _TextsDumper(_AsItIs):
    oid = 1009


class _IntegersDumper(_AsItIs):
    oid = 1007


def register_arrays(context: AdaptContext) -> None:
    """Teaches a connection or a cursor to send them."""
    if context.adapters is not None:
        context.adapters.register_dumper(PackedTexts, _TextsDumper)
        context.adapters.register_dumper(PackedIntegers, _IntegersDumper)
