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


class Near(NamedTuple):
    """Those whose vectors are near, and what that adds."""

    places: Column | slice
    added: Column


class Line:
    """Records where they were observed: each beside those that it stands next to, and a gap wherever nobody is in
    reach. A record and its copies stand at one spot, and count once: as the best."""

    def __init__(self, spots: Column) -> None:
        away = spots[1:] - spots[:-1]
        stands = None
        if np.minimum.reduce(away, initial=1) <= 0:
            spots, stands = np.unique(spots, return_inverse=True)
            away = spots[1:] - spots[:-1]
        # There is a gap at either end, too.
        places = np.empty(len(spots), dtype=np.intp)
        places[:1] = REACH
        np.minimum(away, REACH + 1, out=places[1:])
        np.add.accumulate(places, out=places)
        self._width = (places.item(-1) if len(places) else REACH) + 1 + REACH
        self._places = places if stands is None else places[stands]
        self._shared = stands is not None

    def laid(self, column: Column) -> Column:
        """A row that has a number for each record, as the line has them."""
        row = np.zeros(self._width)
        self._lay(row, self._places, column)
        return row

    def laid_by_word(self, near: Near, words: WordByWord, count: int) -> Column:
        """A row of how near some are, and one for each of so many words, of what it adds to whoever has it."""
        laid = np.zeros((1 + count, self._width))
        self._lay(laid[0], self._places[near.places], near.added)
        self._lay(_one_row(laid[1:]), words.words * self._width + self._places[words.places], words.added)
        return laid

    def _lay(self, row: Column, at: Column, numbers: Column) -> None:
        if self._shared:
            np.maximum.at(row, at, numbers)
        else:
            row[at] = numbers

    def before(self, column: Column) -> Column:
        """For each record what the column has of the one that stands right before it, or nothing."""
        found: Column = self.laid(column)[self._places - 1]
        return found

    def lent(self, laid: Column, asking: Column) -> Column:
        """For each of some laid rows, what the neighbours of each record lend it. Nobody lends to itself, and a text
        that asks a part of what it says lends that part on, and not back."""
        asked = laid * self.laid(asking)
        on, back = _one_row(laid + asked), _one_row(laid - asked)
        lent = np.zeros(laid.shape)
        given = _between(_one_row(lent), 0)
        np.add(_between(on, -REACH), _between(back, REACH), out=given)
        for step in range(REACH - 1, 0, -1):
            given *= FADING
            given += _between(on, -step)
            given += _between(back, step)
        return lent.take(self._places, axis=1)

    def beside(self, laid: Column) -> Column:
        """For each record what those in reach of it come to, however far away they stand: of each laid row how much
        higher the highest number is that one of them has than its own."""
        said = highest = _one_row(laid)
        for _ in range(2 * REACH):
            # Of two that stand side by side, and so of three, and in the end of all in reach, and its own.
            highest = np.maximum(highest[1:], highest[:-1])
        more = np.zeros(laid.shape)
        np.subtract(highest, _between(said, 0), out=_between(_one_row(more), 0))
        come_to: Column = np.add.reduce(more).take(self._places)
        return come_to


def _one_row(laid: Column) -> Column:
    """The rows one behind another, parted by gaps like all on them: it is one long row, and few steps for numpy."""
    return laid.reshape(-1)


def _between(row: Column, by: int) -> Column:
    """What stands so many places further on than each, but for the gaps at either end."""
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


def borrowed(line: Line, text: Text, near: Near, words: WordByWord, weight: float) -> Borrowed:
    """A word counts once: where a record says it, or where those beside it do, whichever is more. A long text borrows
    less."""
    count = 1 + np.maximum.reduce(words.words, initial=-1)
    laid = line.laid_by_word(near, words, count)
    by_word = laid[1:]
    own = np.zeros((count, len(text.telling)))
    own[words.words, words.places] = words.added * text.telling[words.places]
    room = np.exp(text.characters / -LONG)
    given = line.lent(laid, text.asking)
    given *= weight * room
    together = np.add.reduce(np.maximum(own, given[1:]))
    most = np.add.reduce(np.maximum.reduce(by_word, axis=1, initial=0.0))
    return Borrowed(given[0], np.add.reduce(own), together, room, line.beside(by_word) / (most or 1.0))
