"""Calibrating the leak defence on a user's own corpus: what both guards refuse and let through, around their bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lamina.domain.discipline import FEWEST_PHRASES, SHADOW_FLOOR, SHADOW_THRESHOLD, is_held, is_shadow
from lamina.domain.trigram import overlap, trigrams
from lamina.domain.words import phrases

SIMILARITIES: Final = (0.70, 0.75, 0.80, SHADOW_THRESHOLD, 0.90, 0.95)
SHARES: Final = (0.15, 0.25, 0.30, 0.35, 0.40, 0.45, 0.60, 0.80)


@dataclass(frozen=True, slots=True)
class Known:
    """A rule, taken apart once."""

    place: int
    text: str
    trigrams: frozenset[int]
    phrases: frozenset[str]

    @classmethod
    def of(cls, place: int, text: str) -> Known:
        """The rule at this place of its corpus."""
        said = phrases(text)
        return cls(place, text, trigrams(text), said if len(said) >= FEWEST_PHRASES else frozenset())


@dataclass(frozen=True, slots=True)
class Measured:
    """How near a text comes to a corpus: the most similar rule, and the one most of whose phrases it holds."""

    text: str
    similarity: float = 0.0
    most_similar: int | None = None
    share: float = 0.0
    most_held: int | None = None

    def refused(self, share: float | None) -> bool:
        """Whether one of the guards refuses it, with containment from this share on, or without it."""
        return is_shadow(self.text, self.similarity) or (share is not None and self.holds(share))

    def holds(self, share: float) -> bool:
        """Whether containment alone refuses it, from this share on."""
        return is_held(self.text, self.share, share)


def measured(text: str, known: Sequence[Known]) -> Measured:
    """The nearest rules of a corpus to a text, by both measures."""
    if not known:
        return Measured(text)
    own, said = trigrams(text), phrases(text)
    near = [(overlap(len(own & one.trigrams), len(own), len(one.trigrams)), -one.place) for one in known]
    held = [(len(said & one.phrases) / len(one.phrases) if one.phrases else 0.0, -one.place) for one in known]
    (similarity, most_similar), (share, most_held) = max(near), max(held)
    return Measured(text, similarity, -most_similar, share, -most_held)


@dataclass(frozen=True, slots=True)
class Line:
    """One bound of the report: how many honest texts it would refuse, and how many copies it would let through."""

    guard: str
    bound: float
    false_refusals: int
    misses: int


@dataclass(frozen=True, slots=True)
class Report:
    """What both guards do with texts of which it is known what they are."""

    honest: tuple[Measured, ...]
    copies: tuple[Measured, ...]
    containment: float | None

    @property
    def false_refusals(self) -> list[Measured]:
        """The honest texts that are refused as the spec stands, the nearest to a rule first."""
        return _nearest(one for one in self.honest if one.refused(self.containment))

    @property
    def misses(self) -> list[Measured]:
        """The copies that are let through as the spec stands, the nearest first."""
        return _nearest(one for one in self.copies if not one.refused(self.containment))

    @property
    def lines(self) -> list[Line]:
        """Each guard on its own, at bounds around its own."""
        by_similarity = [
            self._line(
                "similarity", bound, [len(one.text) >= SHADOW_FLOOR and one.similarity > bound for one in self._all]
            )
            for bound in SIMILARITIES
        ]
        by_share = [self._line("containment", bound, [one.holds(bound) for one in self._all]) for bound in SHARES]
        return by_similarity + by_share

    @property
    def _all(self) -> tuple[Measured, ...]:
        return (*self.honest, *self.copies)

    def _line(self, guard: str, bound: float, refused: Sequence[bool]) -> Line:
        of_honest, of_copies = refused[: len(self.honest)], refused[len(self.honest) :]
        return Line(guard, bound, sum(of_honest), len(of_copies) - sum(of_copies))


def calibrate(rules: Sequence[str], honest: Sequence[str], copies: Sequence[str], containment: float | None) -> Report:
    """Measures every text against every rule."""
    known = [Known.of(place, rule) for place, rule in enumerate(rules)]
    return Report(
        tuple(measured(text, known) for text in honest), tuple(measured(text, known) for text in copies), containment
    )


def _nearest(found: Iterable[Measured]) -> list[Measured]:
    return sorted(found, key=lambda one: (-max(one.similarity, one.share), one.text))
