"""From memory to a chat: each statement is hedged by how well it is founded, and "I don't know" is an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lamina.domain.discipline import Gate
from lamina.domain.frozen import FrozenMap
from lamina.domain.sanitization.passage import Crossed, Effect, Passage
from lamina.domain.sanitization.provenance import Provenance

_P = Provenance
HEDGES: Final[Mapping[Provenance, str]] = FrozenMap(
    {
        _P.ESTABLISHED: "{text}",
        _P.STATED: "As it was stated on {since}: {text}",
        _P.SINGLE_SOURCE: "According to a single source: {text}",
        _P.OBSERVED: "It was seen on {since} that: {text}",
        _P.INFERRED: "I infer, and nobody has confirmed it, that: {text}",
        _P.STALE: "It was so on {since}, and has not been confirmed for long: {text}",
        _P.CONTRADICTED: "This is disputed: {text}",
    }
)
"""What a statement is introduced by. Whoever wants other words gives other hedges, one for each."""


@dataclass(frozen=True, slots=True)
class HedgeByProvenance:
    """The gate. What is established passes as it is."""

    hedges: Mapping[Provenance, str] = field(default=HEDGES)
    name: str = Gate.HEDGE_BY_PROVENANCE

    def cross(self, passages: Sequence[Passage]) -> Crossed:
        """Each statement with its hedge; what has no provenance is taken for inferred."""
        arrived, manifest = [], []
        for passage in passages:
            founded = passage.provenance or Provenance.INFERRED
            since = f"{passage.since:%Y-%m-%d}" if passage.since else "an unknown day"
            # Not by str.format: a memory may have braces in it.
            hedged = self.hedges[founded].replace("{since}", since).replace("{text}", passage.text)
            arrived.append(passage.saying(hedged))
            if hedged != passage.text:
                manifest.append(Effect(self.name, passage.ref, f"hedged as {founded}"))
        return Crossed(tuple(arrived), tuple(manifest))


@dataclass(frozen=True, slots=True)
class Unknown:
    """I don't know: what was asked, and of which words of it memory has nothing."""

    asked: str
    missing: tuple[str, ...]

    @property
    def text(self) -> str:
        """The answer in words."""
        lacking = f" about {', '.join(self.missing)}" if self.missing else ""
        return f"I don't know. There is nothing in memory{lacking}."


KNOWN_FROM: Final = 0.5
"""A question is answered if memory has something of at least this share of its words."""


def coverage(asked: Mapping[str, Sequence[str]], said: Sequence[Sequence[str]]) -> tuple[list[bool], list[str]]:
    """Which statements have a lexeme in common with the question, and the question's words that none of them has.

    `asked` has each word of the question with its lexemes; `said` the lexemes of each statement.
    """
    wanted = {lexeme for lexemes in asked.values() for lexeme in lexemes}
    relevant = [bool(wanted & set(lexemes)) for lexemes in said]
    there = {lexeme for lexemes in said for lexeme in lexemes}
    return relevant, [word for word, lexemes in asked.items() if lexemes and not there & set(lexemes)]


def unknown(question: str, asked: Mapping[str, Sequence[str]], missing: Sequence[str]) -> Unknown | None:
    """That memory does not cover a question; None if it does."""
    telling = [word for word, lexemes in asked.items() if lexemes]
    covered = len(telling) - len(missing)
    if telling and covered >= KNOWN_FROM * len(telling):
        return None
    return Unknown(question, tuple(missing))
