"""One query as the signals want it, and what they find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nsmallest
from typing import NamedTuple

import numpy as np

from lamina.domain.bm25 import NO_WORDS, Counts, Weighing, WordByWord
from lamina.domain.fusion import Said
from lamina.domain.order import order_key
from lamina.domain.outline import SESSION_BITS, Outline, Outlines, places_among
from lamina.domain.periods import Period
from lamina.domain.signals import Signal


class Known(NamedTuple):
    """What an anchor knows of the words of a query: how many have each lexeme, and which of the values some tag has."""

    counts: Counts
    mentioned: frozenset[str]


NOTHING_KNOWN = Known(Counts(0, 0, {}), frozenset())


class Search(NamedTuple):
    """What is looked for: by a vector, by lexemes, by labels; a part that is not there is not asked."""

    limit: int
    vector: bytes | None = None
    model: str = ""
    weighing: Weighing | None = None
    finding: Sequence[str] = ()
    """The labels that find, as terms: `terms.label` of tags, or `terms.mention` of what a query names."""
    labels: Sequence[str] = ()
    """The labels that count for whatever is found."""
    periods: Sequence[Period] = ()
    """The times that the query names: each counts as a label."""
    newest: int = 0
    """How many of what became true last are drawn too, whether any signal speaks of them or not."""


class Drawn(NamedTuple):
    """What the signals found, with the outlines of that and of what stands beside it."""

    outlines: Outlines
    found: Mapping[Signal, Said]
    """Candidates go by the places of their outlines."""
    words: WordByWord = NO_WORDS
    """What each word of the query adds to each outline, found or not."""

    def only(self, kept: Sequence[int]) -> Drawn:
        """The same but for what is not kept."""
        rows = np.asarray(kept, dtype=np.intp)
        place_of = places_among(rows, len(self.outlines))
        found = {}
        for signal, said in self.found.items():
            places = place_of[np.asarray(said.places, dtype=np.intp)]
            there = places >= 0
            found[signal] = Said(places[there], np.asarray(said.scores)[there])
        return Drawn(self.outlines.only(rows), found, self.words.moved(place_of))


def together(several: Sequence[Drawn], limit: int) -> Drawn:
    """What was drawn of several anchors by the same weights, one after another; of what each signal found, so many of
    the best, and among equals what became true last."""
    found: dict[Signal, list[tuple[int, float]]] = {}
    outlines: list[Outline] = []
    words = [NO_WORDS]
    sessions = 0
    for drawn in several:
        for signal, said in drawn.found.items():
            shifted = [(len(outlines) + int(place), float(score)) for place, score in zip(*said, strict=True)]
            found.setdefault(signal, []).extend(shifted)
        words.append(drawn.words._replace(places=drawn.words.places + len(outlines)))
        some = [_apart(sessions, outline) for outline in drawn.outlines]
        sessions = max([sessions, *(outline.spot >> SESSION_BITS for outline in some)])
        outlines += some
    first = [order_key(0, one.valid_at, 0, one.id) for one in outlines]
    foremost = {
        signal: _said(nsmallest(limit, rows, key=lambda row: (-row[1], first[row[0]])))
        for signal, rows in found.items()
    }
    return Drawn(Outlines.of(outlines), foremost, WordByWord(*map(np.concatenate, zip(*words, strict=True))))


def _apart(sessions: int, outline: Outline) -> Outline:
    """No session of one anchor is another's, however they are numbered: as many have been numbered before."""
    return outline._replace(spot=outline.spot and outline.spot + (sessions << SESSION_BITS))


def _said(rows: Sequence[tuple[int, float]]) -> Said:
    places, scores = zip(*rows, strict=True) if rows else ((), ())
    return Said(places, scores)
