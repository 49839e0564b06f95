"""What is tried on the guards: copies of rules in many disguises, and honest texts about the same rules.

A corpus is a JSON list of objects with a rule (`clause`) and what somebody honestly wrote about it (`restatement`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

LONGEST = 2_000
"""Bodies are bounded: what is longer is refused for that."""
FLOOR = 100
"""Shorter bodies are not compared (D8)."""


@dataclass(frozen=True)
class Corpus:
    """Rules, each once, and honest texts."""

    rules: list[str]
    honest: list[str]
    pairs: Sequence[tuple[str, str]]

    @classmethod
    def read(cls, path: Path) -> Corpus:
        """A corpus from its file."""
        pairs = json.loads(path.read_text(encoding="utf-8"))
        return cls.of([(pair["clause"], pair["restatement"]) for pair in pairs])

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]]) -> Corpus:
        """A corpus from its pairs."""
        return cls(list(dict.fromkeys(rule for rule, _ in pairs)), [honest for _, honest in pairs], pairs)

    def halves(self, seed: int = 4) -> tuple[Corpus, Corpus]:
        """Two corpora, with each rule in one of them."""
        chosen = set(random.Random(seed).sample(self.rules, len(self.rules) // 2))
        first = [pair for pair in self.pairs if pair[0] in chosen]
        return Corpus.of(first), Corpus.of([pair for pair in self.pairs if pair[0] not in chosen])


def attempts(corpus: Corpus, seed: int = 8) -> dict[str, list[str]]:
    """Each kind of copy, of every rule that it can be made of; those that a body can hold and that are compared."""
    chance = random.Random(seed)
    made = {name: [make(chance, corpus, rule) for rule in corpus.rules] for name, make in KINDS.items()}
    fitting = {name: [text for text in texts if FLOOR <= len(text) <= LONGEST] for name, texts in made.items()}
    halves = {name: [text for text in fitting[name] if len(text) >= 200] for name in fitting if "half" in name}
    return fitting | halves


def longer(corpus: Corpus, characters: int, seed: int = 9) -> list[str]:
    """Honest texts of about so many characters: several restatements, of rules next to one another, in a row."""
    chance = random.Random(seed)
    return [_joined(corpus, chance.randrange(len(corpus.honest)), characters) for _ in range(200)]


def _joined(corpus: Corpus, at: int, characters: int) -> str:
    text = ""
    while len(text) < characters:
        text = f"{text} {corpus.honest[at % len(corpus.honest)]}".strip()
        at += 1
    return text[:LONGEST]


def _edited(chance: random.Random, corpus: Corpus, rule: str) -> str:
    words = rule.split()
    for place in chance.sample(range(len(words)), int(len(words) * 0.05)):
        words[place] = chance.choice(chance.choice(corpus.honest).split())
    return " ".join(words)


def _half(chance: random.Random, _: Corpus, rule: str) -> str:
    words = rule.split()
    size = (len(words) + 1) // 2
    start = chance.randrange(len(words) - size + 1)
    return " ".join(words[start : start + size])


def _padded(chance: random.Random, corpus: Corpus, rule: str) -> str:
    other = " ".join(chance.choice(corpus.honest) for _ in range(60))
    size = len(rule) // 2
    return f"{other[:size]} {rule} {other[size : 2 * size]}".strip()


def _homoglyphs(chance: random.Random, _: Corpus, rule: str) -> str:
    swapped = {"a": "а", "c": "с", "e": "е", "o": "о", "p": "р", "x": "х", "y": "у", "i": "і"}
    return "".join(swapped.get(letter, letter) if chance.random() < 0.5 else letter for letter in rule)


def _zero_width(chance: random.Random, _: Corpus, rule: str) -> str:
    return "".join(letter + ("\u200b" if chance.random() < 0.2 else "") for letter in rule)


Make = Callable[[random.Random, Corpus, str], str]
KINDS: dict[str, Make] = {
    "verbatim": lambda _, __, rule: rule,
    "other case": lambda _, __, rule: rule.upper(),
    "other white space": lambda chance, _, rule: "".join(
        letter + chance.choice(["", " ", "\n"]) if letter == " " else letter for letter in rule
    ),
    "other punctuation": lambda chance, _, rule: "".join(
        chance.choice(["! ", "; ", " - "]) if letter == "." else letter for letter in rule
    ),
    "5 % of words changed": _edited,
    "half quote": _half,
    "half quote, 5 % changed": lambda chance, corpus, rule: _half(chance, corpus, _edited(chance, corpus, rule)),
    "padded copy": _padded,
    "padded copy, 5 % changed": lambda chance, corpus, rule: _padded(chance, corpus, _edited(chance, corpus, rule)),
    "homoglyphs": _homoglyphs,
    "zero-width": _zero_width,
}
