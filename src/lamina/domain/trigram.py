"""Trigram similarity that agrees with PostgreSQL's pg_trgm to the last bit.

The server it agrees with is little-endian, its database UTF-8 with ctype C.UTF-8. Text must be what such a
database can store: no NUL, no surrogates.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_right
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from lamina.domain import ctype

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Trigram: TypeAlias = int
"""pg_trgm's three bytes as one number, the first byte highest: what `show_trgm` prints as `0x......`."""

_BLANK = 0x20
_CRC_START = 0xFFFFFFFF


def trigrams(text: str) -> frozenset[Trigram]:
    """The different trigrams of all words in `text`."""
    padded = f"  {as_words(text).replace(' ', '  ')} "
    return _plain(padded.encode()) if padded.isascii() else _mixed(padded)


def as_words(text: str) -> str:
    """The text with its word characters in lower case, and a blank in the place of each other one."""
    return text.translate(_folding())


def similarity(a: str, b: str) -> float:
    """pg_trgm's `similarity(a, b)`, a PostgreSQL `real`."""
    left, right = trigrams(a), trigrams(b)
    return overlap(len(left & right), len(left), len(right))


def overlap(shared: int, left: int, right: int) -> float:
    """The similarity of two sets of `left` and `right` trigrams that have `shared` of them in common."""
    return as_real(shared / (left + right - shared)) if shared else 0.0


def as_real(x: float) -> float:
    """`x` rounded to PostgreSQL's `real`; a threshold needs it before a similarity is compared with it."""
    rounded: float = struct.unpack("f", struct.pack("f", x))[0]
    return rounded


# Two blanks precede a word and only one follows it, so a window that ends in two blanks lies between words.


def _plain(padded: bytes) -> frozenset[Trigram]:
    return frozenset(_numbers([padded[:-2], padded[1:-1], padded[2:]])) - _gaps()


@cache
def _gaps() -> frozenset[Trigram]:
    return frozenset(first << 16 | _BLANK << 8 | _BLANK for first in range(0x80))


def _mixed(padded: str) -> frozenset[Trigram]:
    windows = {padded[start : start + 3] for start in range(len(padded) - 2)}
    by_size: defaultdict[int, list[bytes]] = defaultdict(list)
    for encoded in (window.encode() for window in windows if not window.endswith("  ")):
        by_size[len(encoded)].append(encoded)
    return frozenset().union(*(_numbers(_three_columns(group)) for group in by_size.values()))


def _three_columns(group: Sequence[bytes]) -> Sequence[bytes]:
    """The first, second and third trigram bytes of all windows in a group of equally long ones."""
    size, joined = len(group[0]), b"".join(group)
    columns = [joined[place::size] for place in range(size)]
    return columns if size == 3 else [_hashed(columns, shift) for shift in (0, 8, 16)]


def _numbers(columns: Sequence[bytes]) -> Iterable[Trigram]:
    count = len(columns[0])
    rows = bytearray(4 * count)
    rows[1::4], rows[2::4], rows[3::4] = columns
    return struct.unpack(f">{count}I", rows)


# A trigram that is not three bytes long is kept as the low bytes of PostgreSQL's own CRC-32. That is linear:
# a byte's share depends on nothing but how many bytes follow it, and the shares add up by XOR. So a column of
# bytes is hashed at once, which is several times faster than window by window.


def _hashed(columns: Sequence[bytes], shift: int) -> bytes:
    """The byte at `shift` of every window's CRC-32, given all first bytes, all second bytes and so on."""
    size, count = len(columns), len(columns[0])
    total = int.from_bytes(_start_share(size, shift) * count, "big")
    for place, column in enumerate(columns, start=1):
        total ^= int.from_bytes(column.translate(_share(size - place, shift)), "big")
    return total.to_bytes(count, "big")


@cache
def _share(after: int, shift: int) -> bytes:
    """What each byte value, with `after` bytes behind it, adds to the CRC's byte at `shift`."""
    return bytes(register >> shift & 0xFF for register in _registers(after))


@cache
def _start_share(size: int, shift: int) -> bytes:
    register = _CRC_START
    for _ in range(size):
        register = _next_register(register)
    return bytes([(register ^ _CRC_START) >> shift & 0xFF])


@cache
def _registers(after: int) -> Sequence[int]:
    return [_next_register(register) for register in _registers(after - 1)] if after else _crc_table()


def _next_register(register: int) -> int:
    # PostgreSQL walks the reflected table in the direction of the unreflected one.
    return _crc_table()[register >> 24] ^ (register << 8 & 0xFFFFFFFF)


@cache
def _crc_table() -> Sequence[int]:
    # zlib inverts the register before and after; undone, the CRC of one byte is that byte's table entry.
    return [zlib.crc32(bytes([byte ^ 0xFF])) ^ 0xFF000000 for byte in range(0x100)]


class _Folding(dict[int, int]):
    """For `str.translate`: word characters to lower case, all others to blanks, looked up when first met."""

    def __missing__(self, code: int) -> int:
        is_word = bisect_right(_word_bounds(), code) % 2
        self[code] = folded = _lowered().get(code, code) if is_word else _BLANK
        return folded


@cache
def _folding() -> _Folding:
    return _Folding()


@cache
def _word_bounds() -> Sequence[int]:
    """The first code point of each range of word characters and the first one after it."""
    return [bound for span in map(_span, ctype.WORD.split()) for bound in (span.start, span.stop)]


@cache
def _lowered() -> dict[int, int]:
    runs = (run.split(":") for run in ctype.LOWER.split())
    moves = ((_span(source), int(target, 16)) for source, target in runs)
    return {code: code - span.start + target for span, target in moves for code in span}


def _span(text: str) -> range:
    """`b5`, `41-5a` or, taking every second code point, `100-12e/2`."""
    ends, _, step = text.partition("/")
    first, _, last = ends.partition("-")
    return range(int(first, 16), int(last or first, 16) + 1, int(step or "1"))
