"""Passages of a stated length, from a text that is given or from the corpus's own sentences.

Real prose matters where trigrams are compared: words that are drawn at random have too few of them in common.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpus import texts


def sentences(source: Path | None) -> list[str]:
    """The sentences of a text file, or of every string in a JSON file; none so long that it fills a passage alone."""
    if source is None:
        return texts(2_000, 120)
    text = source.read_text(encoding="utf-8")
    strings = _strings(json.loads(text)) if source.suffix == ".json" else [text]
    found = (part.strip() for string in strings for part in re.split(r"(?<=[.;!?])\s+|\n+", string))
    return list(dict.fromkeys(part for part in found if 40 <= len(part) <= 250))


def passages(parts: list[str], count: int, characters: int, seed: int) -> list[str]:
    """So many passages of so many characters, each of sentences in an order of its own."""
    chance = random.Random(seed)
    return [_passage(chance, parts, characters) for _ in range(count)]


def _passage(chance: random.Random, parts: list[str], characters: int) -> str:
    passage = ""
    while len(passage) <= characters:
        passage += f"{chance.choice(parts)} "
    # No text may end in a space.
    return f"{passage[: characters - 1]}."


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)
