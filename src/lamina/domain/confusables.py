"""Letters that are drawn like a letter of a to z, and what is not drawn at all: what a copy is disguised with.

The letters are the lower-case ones of Unicode's confusables (UTS 39) in Cyrillic, Greek, Armenian and Latin that
normalization (NFKD) does not already undo. Both stores compare by this table, so it is short, and one to one.
"""

from __future__ import annotations

from typing import Final

LOOKS_LIKE: Final = {
    "a": "аɑαᴀ",
    "b": "вьβʙƅ",
    "c": "сςᴄ",
    "d": "ԁժᴅɗ",
    "e": "еҽєεᴇ",
    "f": "ϝꞙք",
    "g": "ɡցԍɢ",
    "h": "һнհʜ",
    "i": "іıɩιɪӏ",
    "j": "јϳᴊ",
    "k": "кκᴋ",
    "l": "ʟǀ",
    "m": "мᴍμ",
    "n": "пոηɴ",
    "o": "оοσօᴏ",
    "p": "рρᴘ",
    "q": "ԛզ",
    "r": "гᴦʀ",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υսᴜʋ",
    "v": "νѵᴠ",
    "w": "ԝɯᴡω",
    "x": "хχ",
    "y": "уγүʏ",
    "z": "ᴢζ",
}
"""For each letter, those that are drawn like it or like its capital."""

DRAWN: Final = "".join(LOOKS_LIKE.values())
MEANT: Final = "".join(letter * len(drawn) for letter, drawn in LOOKS_LIKE.items())
"""Character by character: what each of `DRAWN` is taken for."""

# fmt: off
UNSEEN: Final = (
    (0x00AD, 0x00AD), (0x0300, 0x036F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF),
)
# fmt: on
"""Soft hyphens, combining marks, zero-width characters, directions, fillers, variations and tags, first to last."""
