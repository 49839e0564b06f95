"""Memory as quoted data: whatever a body says, it stays inside its quotation marks, on its line."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Final

_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_CLOSING: Final = frozenset("<>`")
"""With these a text could close the block, open another, or end a fence around it."""
_PLAIN: Final = re.compile(r"[ -;=?-_a-~]*")


def quoted(text: str) -> str:
    """The text for a prompt: one JSON string without a line break, a bracket or a hidden character in it."""
    return _escaped(text, _CLOSING)


def quoted_in_chat(text: str) -> str:
    """The text for somebody to read: the same, but its brackets are shown as they are."""
    return _escaped(text, frozenset())


def on_one_line(text: str) -> str:
    """The text for a terminal: as it is, but for what moves the cursor, turns the reading round or breaks the line."""
    return "".join(_safe(one) if unicodedata.category(one) in _HIDDEN else one for one in text)


def _escaped(text: str, also: frozenset[str]) -> str:
    said = json.dumps(text, ensure_ascii=False)
    return said if _PLAIN.fullmatch(said) else "".join(_safe(one) if _is_unsafe(one, also) else one for one in said)


def _is_unsafe(character: str, also: frozenset[str]) -> bool:
    return character in also or unicodedata.category(character) in _HIDDEN


def _safe(character: str) -> str:
    said = json.dumps(character)[1:-1]
    return said if said != character else f"\\u{ord(character):04x}"
