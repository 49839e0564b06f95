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
    """Records where they were observed: each beside those that it stands next to, and a gap wherever nobody is in
    reach. A record and its copies stand at one spot, and count once: as the best."""

    def __init__(self, spots: Column) -> None:
        away = spots[1:] - spots[:-1]
        stands = None
        if np.logical_or.reduce(away <= 0):
            spots, stands = np.unique(spots, return_inverse=True)
            away = spots[1:] - spots[:-1]
        steps = np.full(len(spots), REACH)
        np.minimum(away, REACH + 1, out=steps[1:])
        places = np.add.accumulate(steps)
        # There is a gap at either end, too.
        self._width = max(int(np.add.reduce(steps)), REACH) + 1 + REACH
        self._places = places if stands is None else places[stands]
        self._shared = stands is not None

    def laid(self, rows: Column) -> Column:
        """A row that has a number for each record, or several, as the line has them."""
        laid = np.zeros((*rows.shape[:-1], self._width))
        if self._shared:
            np.maximum.at(laid.T, self._places, rows.T)
        else:
            laid[..., self._places] = rows
        return laid

    def before(self, column: Column) -> Column:
        """For each record what the column has of the one that stands right before it, or nothing."""
        found: Column = self.laid(column)[self._places - 1]
        return found

    def lent(self, laid: Column, asking: Column) -> Column:
        """For each of some laid rows, what the neighbours of each record lend it. Nobody lends to itself, and a text
        that asks a part of what it says lends that part on, and not back."""
        asks, lent = self.laid(asking), np.zeros(laid.shape)
        on, back, given = laid * (1 + asks), laid * (1 - asks), _moved(lent, 0)
        for step in range(REACH, 0, -1):
            given *= FADING
            given += _moved(on, -step)
            given += _moved(back, step)
        return lent.take(self._places, axis=1)

    def beside(self, laid: Column) -> Column:
        """For each record what those in reach of it come to, however far away they stand: of each laid row how much
        higher the highest number is that one of them has than its own."""
        found = np.zeros(laid.shape)
        highest = _moved(found, 0)
        for step in range(1, REACH + 1):
            np.maximum(highest, _moved(laid, -step), out=highest)
            np.maximum(highest, _moved(laid, step), out=highest)
        np.maximum(found - laid, 0.0, out=found)
        come_to: Column = np.add.reduce(found).take(self._places)
        return come_to


def _moved(laid: Column, by: int) -> Column:
    """What stands so many places further on. The rows stand one behind another, parted by gaps like all on them: so it
    is one long row, and few steps for numpy."""
    row = laid.reshape(-1)
    return row[REACH + by : len(row) - REACH + by]


class Borrowed(NamedTuple):
    """What each record has of its neighbours, in columns."""

    meaning: Column
    """What those lend it whose vectors are near."""
    alone: Column
    """What its own words come to."""
    together: Column
    """What they come to with those of its neighbours."""
    room: Column
    """How much of what others say it has room for: less, the longer it is."""
    beside: Column
    """The share of all that is asked which is said beside it, but for what it says itself."""


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
    laid = line.laid(rows)
    room = np.exp(text.characters / -LONG)
    given = line.lent(laid, text.asking)
    given *= weight * room
    own = rows[1:] * text.telling
    together = np.add.reduce(np.maximum(own, given[1:]))
    most = np.add.reduce(np.maximum.reduce(rows[1:], axis=1, initial=0.0))
    return Borrowed(given[0], np.add.reduce(own), together, room, line.beside(laid[1:]) / (most or 1.0))
