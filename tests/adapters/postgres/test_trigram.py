"""The domain's similarity is pg_trgm's, to the last bit, on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection

from lamina.domain.trigram import similarity, trigrams

if TYPE_CHECKING:
    from tests.conftest import Database

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz ABC 0123 .,-_'",
    "äöüßÄÖÜẞ éèêëÇçñ ıİ ŉ ſ ǅ",
    "προθεσμία ΑΒΓ ς σ Σ ά",
    "правило Ёё Ғғ",
    "規則の引用ルール 한국어 한글",
    "עברית العربية ٣٤٥ हिन्दी ไทย",
    "ﬁ ﬀ Ⅷ ① ² ª 𝔘𝔫𝔦 🙂👩‍👩‍👧 \u00a0\u2028\t\n",
]


@pytest.fixture
def server(database: Database) -> Iterator[Connection[Any]]:
    with psycopg.connect(database.as_application) as connection:
        yield connection


def text(draw: Random) -> str:
    """Words of one script or of several, and now and then of any characters at all."""
    letters = "".join(draw.sample(ALPHABETS, draw.choice([1, 1, 2])))
    if draw.random() < 0.2:
        letters += "".join(chr(code) for code in draw.sample(range(1, 0x11000), 40) if not 0xD800 <= code < 0xE000)
    return "".join(draw.choice(letters) for _ in range(draw.randrange(60)))


def pair(draw: Random) -> tuple[str, str]:
    """Two texts that have something in common."""
    first = text(draw)
    cut = draw.randrange(len(first) + 1)
    return first, first[:cut] + text(draw)[: draw.randrange(20)] + first[cut:].swapcase()


def test_similarity_agrees(server: Connection[Any]) -> None:
    draw = Random(20260101)
    pairs = [pair(draw) for _ in range(4_000)]
    rows = server.execute(
        "SELECT similarity(a, b)::float8"
        " FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS pair (a, b, n) ORDER BY n",
        [[a for a, _ in pairs], [b for _, b in pairs]],
    ).fetchall()
    assert [similarity(a, b) for a, b in pairs] == [theirs for (theirs,) in rows]


def test_trigrams_agree(server: Connection[Any]) -> None:
    draw = Random(20260102)
    texts = [text(draw) for _ in range(2_000)]
    rows = server.execute(
        "SELECT cardinality(show_trgm(one)) FROM unnest(%s::text[]) WITH ORDINALITY AS text (one, n) ORDER BY n",
        [texts],
    ).fetchall()
    assert [len(trigrams(one)) for one in texts] == [theirs for (theirs,) in rows]


def test_single_characters_agree(server: Connection[Any]) -> None:
    """The generated table of word characters is what this server says: every character of the first plane."""
    codes = [code for code in range(1, 0x10000) if not 0xD800 <= code < 0xE000]
    rows = server.execute(
        "SELECT show_trgm(chr(code)) <> '{}', show_trgm(chr(code)) = show_trgm(lower(chr(code)))"
        " FROM unnest(%s::int[]) WITH ORDINALITY AS one (code, n) ORDER BY n",
        [codes],
    ).fetchall()
    assert [bool(trigrams(chr(code))) for code in codes] == [is_word for is_word, _ in rows]


@pytest.mark.parametrize(("a", "b", "expected"), [("abc", "abc", 1.0), ("", "", 0.0), ("abc", "xyz", 0.0)])
def test_the_ends_of_the_scale(server: Connection[Any], a: str, b: str, expected: float) -> None:
    assert server.execute("SELECT similarity(%s, %s)", [a, b]).fetchone() == (expected,)
    assert similarity(a, b) == expected
