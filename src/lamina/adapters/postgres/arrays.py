"""Arrays on their way to PostgreSQL, packed here in its binary format: the driver's own way takes much longer."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from struct import Struct
from typing import Final
from uuid import UUID

from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

_TEXT, _INTEGER, _UUID, _TIMESTAMPTZ = 25, 23, 2950, 1184
# One dimension, no NULL in it, of which type; how many, counted from 1.
_HEAD: Final = Struct("!5i")
_SIZE: Final = Struct("!i")
_INSTANT: Final = Struct("!iq")
_SINCE: Final = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class PackedTexts(bytes):
    """A text[]."""

    __slots__ = ()

    @classmethod
    def of(cls, texts: Collection[str]) -> PackedTexts:
        """The array of these texts."""
        return cls(_HEAD.pack(1, 0, _TEXT, len(texts), 1) + b"".join(map(_text, texts)))


class PackedIntegers(bytes):
    """An integer[]."""

    __slots__ = ()

    @classmethod
    def of(cls, numbers: Collection[int]) -> PackedIntegers:
        """The array of these numbers."""
        return cls(_HEAD.pack(1, 0, _INTEGER, len(numbers), 1) + b"".join(map(_integer, numbers)))


class PackedLongTexts(PackedTexts):
    """A text[] of texts that hardly come again: none of them is remembered."""

    __slots__ = ()

    @classmethod
    def of(cls, texts: Iterable[str]) -> PackedLongTexts:
        """The array of these texts."""
        encoded = [text.encode() for text in texts]
        parts = [_SIZE.pack(len(one)) + one for one in encoded]
        return cls(b"".join([_HEAD.pack(1, 0, _TEXT, len(parts), 1), *parts]))


class PackedUuids(bytes):
    """A uuid[]."""

    __slots__ = ()

    @classmethod
    def of(cls, ids: Iterable[UUID]) -> PackedUuids:
        """The array of these ids."""
        size = _SIZE.pack(16)
        parts = [size + one.bytes for one in ids]
        return cls(b"".join([_HEAD.pack(1, 0, _UUID, len(parts), 1), *parts]))


class PackedInstants(bytes):
    """A timestamptz[]."""

    __slots__ = ()

    @classmethod
    def of(cls, instants: Iterable[datetime]) -> PackedInstants:
        """The array of these moments: microseconds since 2000."""
        parts = [_INSTANT.pack(8, (one - _SINCE) // _MICROSECOND) for one in instants]
        return cls(b"".join([_HEAD.pack(1, 0, _TIMESTAMPTZ, len(parts), 1), *parts]))


# Words come again and again, and so do small numbers: each is packed once, as long as it is remembered.
@lru_cache(maxsize=65_536)
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


class _UuidsDumper(_AsItIs):
    oid = 2951


class _InstantsDumper(_AsItIs):
    oid = 1185


def register_arrays(context: AdaptContext) -> None:
    """Teaches a connection or a cursor to send them."""
    if context.adapters is not None:
        context.adapters.register_dumper(PackedTexts, _TextsDumper)
        context.adapters.register_dumper(PackedIntegers, _IntegersDumper)
        context.adapters.register_dumper(PackedLongTexts, _TextsDumper)
        context.adapters.register_dumper(PackedUuids, _UuidsDumper)
        context.adapters.register_dumper(PackedInstants, _InstantsDumper)
