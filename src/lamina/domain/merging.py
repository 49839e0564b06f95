"""What a merged text must not lose. A model writes it; this reads it again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from lamina.domain.substance import contents

# fmt: off
_NEGATIONS: Final = frozenset({
    "cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere", "unless", "without",
})
# fmt: on
_NUMBER: Final = re.compile(r"\d")


def lost_in(merged: str, sources: Iterable[str]) -> str | None:
    """What one of the sources says and the merged text does not, if it is a number, a name or a negation; None if
    nothing of that kind is missing. A word that begins with a capital letter is taken for a name."""
    kept = {_plain(word) for word in contents(merged)}
    for source in sources:
        for word in contents(source):
            if _weighs(word) and _plain(word) not in kept:
                return word
    return None


def _weighs(word: str) -> bool:
    return bool(_NUMBER.search(word)) or word[:1].isupper() or _plain(word) in _NEGATIONS


def _plain(word: str) -> str:
    """Its casefolded form; don't and can't are negations like not."""
    folded = word.casefold().replace("’", "'")
    return "not" if folded.endswith("n't") else folded
