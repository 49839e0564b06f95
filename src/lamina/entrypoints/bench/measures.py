"""How good a ranking is, given the turns that answer the question. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from math import log2
from statistics import fmean
from typing import Final

CUTOFFS: Final = (5, 10, 20, 50)
TOKENS: Final = (1_000, 2_000, 4_000)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for one question: the turns in order, with how many tokens each takes in a prompt."""

    category: int
    evidence: tuple[str, ...]
    found: tuple[str, ...]
    """By the shipped limit of ten."""
    further: tuple[str, ...]
    """By a higher limit, for what is measured further down."""
    tokens: tuple[int, ...]
    seconds: float

    def at(self, cutoff: int) -> tuple[str, ...]:
        """The first so many."""
        return (self.found if cutoff <= len(self.found) or cutoff <= 10 else self.further)[:cutoff]


def recall_at(answer: Answer, cutoff: int) -> float:
    """The share of the evidence that is among the first."""
    found = set(answer.at(cutoff))
    return fmean(one in found for one in answer.evidence)


def gain(answer: Answer, cutoff: int = 10) -> float:
    """NDCG: the same, where earlier counts more."""
    wanted = set(answer.evidence)
    got = sum(1 / log2(place + 2) for place, one in enumerate(answer.at(cutoff)) if one in wanted)
    best = sum(1 / log2(place + 2) for place in range(min(len(wanted), cutoff)))
    return got / best


def recall_within(answer: Answer, tokens: int) -> float:
    """The share of the evidence in what fits so many tokens, in order."""
    fitting, spent = set(), 0
    for one, taken in zip(answer.further, answer.tokens, strict=True):
        spent += taken
        if spent > tokens:
            break
        fitting.add(one)
    return fmean(one in fitting for one in answer.evidence)


def newer_first(answers: Iterable[tuple[Answer, Mapping[str, datetime]]]) -> tuple[int, int]:
    """Of pairs of evidence at different dates, how often the newer ranks higher, and how many pairs there are.

    A pair of which neither was found says nothing, and is left out.
    """
    first = pairs = 0
    for answer, days in answers:
        places = {one: place for place, one in enumerate(answer.further)}
        for one, other in combinations(answer.evidence, 2):
            older, newer = sorted((one, other), key=days.__getitem__)
            if days[older] == days[newer] or not {older, newer} & places.keys():
                continue
            pairs += 1
            first += places.get(newer, len(places)) < places.get(older, len(places))
    return first, pairs


def summary(answers: Sequence[Answer]) -> dict[str, float]:
    """Every figure of some questions."""
    figures: dict[str, float] = {"questions": len(answers)}
    for cutoff in CUTOFFS:
        recalls = [recall_at(one, cutoff) for one in answers]
        figures[f"recall_any@{cutoff}"] = fmean(one > 0 for one in recalls)
        figures[f"recall_all@{cutoff}"] = fmean(one == 1 for one in recalls)
        figures[f"recall@{cutoff}"] = fmean(recalls)
    figures["ndcg@10"] = fmean(gain(one) for one in answers)
    for tokens in TOKENS:
        figures[f"recall_in_{tokens}_tokens"] = fmean(recall_within(one, tokens) for one in answers)
    return figures


def macro(by_category: Mapping[int, Mapping[str, float]]) -> dict[str, float]:
    """The mean over categories, each counting alike."""
    names = next(iter(by_category.values()))
    return {
        name: sum(one[name] for one in by_category.values())
        if name == "questions"
        else fmean(one[name] for one in by_category.values())
        for name in names
    }


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
