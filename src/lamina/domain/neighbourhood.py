"""Neighbourhood (P5): a short utterance shares in what was said next to it; a long text stands for itself.

What a text ends by asking, the next one answers: it lends that part of its evidence on, and not back.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from lamina.domain.bm25 import WordByWord
from lamina.domain.outline import Column, Outlines

REACH: Final = 2
"""How many positions away in its session a neighbour may stand: what was asked, and what was answered."""
FADING: Final = 0.5
"""What each further position takes off."""
LONG: Final = 600
"""Characters after which a text borrows about a third of what a word would: a paragraph says what it is about."""
_SHARE: Final = np.array([0.0, *(FADING**away for away in range(REACH)), 0.0])
"""What a neighbour lends, by how many positions it is away; nothing from further than the reach."""


def closing(body: str) -> int:
    """How many characters at its end are a question: all behind its last full stop or exclamation mark."""
    if not body.rstrip(" \n").endswith("?"):
        return 0
    return len(body) - 1 - max(body.rfind("."), body.rfind("!"))


def asking(outlines: Outlines) -> Column:
    """The share of each text that asks, and does not tell."""
    share: Column = outlines.asking / np.maximum(outlines.characters, 1)
    return share


class Line:
    """Records in the order of their spots. A record and its copies stand at one spot, and count once: as the best."""

    def __init__(self, spots: Column) -> None:
        self._stands = None
        away = spots[1:] - spots[:-1]
        if np.logical_or.reduce(away <= 0):
            spots, self._stands = np.unique(spots, return_inverse=True)
            away = spots[1:] - spots[:-1]
        self._spots, self._away = spots, away

    def before(self, column: Column) -> Column:
        """For each record what the column has of the one that stands right before it, or nothing."""
        row = self._at_spots(column)
        found: Column = np.zeros(len(row))
        found[1:] = (self._away == 1) * row[:-1]
        return found if self._stands is None else found[self._stands]

    def lent(self, rows: Column, asking: Column) -> Column:
        """For each row, which has a number for each record, what the neighbours of each lend it. Nobody lends to
        itself, and a text that asks a part of what it says lends that part on, and not back."""
        rows, asks = self._at_spots(rows), self._at_spots(asking)
        on, back, given = 1 + asks, 1 - asks, np.zeros(rows.shape)
        for step in range(1, min(REACH, len(self._spots) - 1) + 1):
            away = self._away if step == 1 else self._spots[step:] - self._spots[:-step]
            share = _SHARE[np.minimum(away, REACH + 1)]
            given[:, step:] += rows[:, :-step] * (share * on[:-step])
            given[:, :-step] += rows[:, step:] * (share * back[step:])
        return given if self._stands is None else given[:, self._stands]

    def _at_spots(self, rows: Column) -> Column:
        """Of one row, or of each of several, the highest number at each spot."""
        if self._stands is None:
            return rows
        best = np.zeros((len(self._spots), *rows.shape[:-1]))
        np.maximum.at(best, self._stands, rows.T)
        return best.T


class Borrowed(NamedTuple):
    """What each record has of its neighbours, in columns."""

    meaning: Column
    """What those lend it whose vectors are near."""
    alone: Column
    """What its own words come to."""
    together: Column
    """What they come to with those of its neighbours."""


class Text(NamedTuple):
    """What the texts are, in columns: their characters, the share of each that asks, and the share that counts."""

    characters: Column
    asking: Column
    telling: Column


def borrowed(line: Line, text: Text, meaning: Column, words: WordByWord, weight: float) -> Borrowed:
    """A word counts once: where a record says it, or where those beside it do, whichever is more. A long text borrows
    less."""
    rows = np.zeros((2 + np.maximum.reduce(words.words, initial=-1), len(meaning)))
    rows[0] = meaning
    rows[words.words + 1, words.places] = words.added
    given = line.lent(rows, text.asking)
    given *= weight * np.exp(text.characters / -LONG)
    own = rows[1:] * text.telling
    return Borrowed(given[0], np.add.reduce(own), np.add.reduce(np.maximum(own, given[1:])))
