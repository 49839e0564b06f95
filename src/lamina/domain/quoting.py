"""Memory as quoted data: whatever a body says, it stays inside its quotation marks, on its line."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Final

_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_ESCAPED: Final = frozenset("<>`")
"""With these a text could close the block, open another, or end a fence around it."""
_PLAIN: Final = re.compile(r"[ -;=?-_a-~]*")


def quoted(text: str) -> str:
    """The text as one JSON string without a line break, a bracket or a hidden character in it."""
    said = json.dumps(text, ensure_ascii=False)
    return said if _PLAIN.fullmatch(said) else "".join(map(_safe, said))


def _safe(character: str) -> str:
    if character in _ESCAPED or unicodedata.category(character) in _HIDDEN:
        return json.dumps(character)[1:-1] if ord(character) > 127 else f"\\u{ord(character):04x}"
    return character
