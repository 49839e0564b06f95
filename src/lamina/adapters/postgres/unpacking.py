"""What was drawn, as it comes from PostgreSQL: each column as the bytes of all its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lamina.adapters.postgres.drawing import Asked
from lamina.adapters.postgres.posted import Posted
from lamina.adapters.postgres.sketches import SINCE_2000, Places, Sketches, numbers
from lamina.domain.bm25 import NO_WORDS, WordByWord
from lamina.domain.fusion import Said
from lamina.domain.ids import MemoryId
from lamina.domain.outline import Column
from lamina.domain.search import Drawn, Search
from lamina.domain.signals import Signal


def drawn(
    row: Sequence[bytes | None], asked: Asked, search: Search, near: Mapping[MemoryId, float] | None, *, confirmed: bool
) -> Drawn:
    """The outlines, with what the signals said of them: here, or of the nearest by another statement."""
    # What nothing was put together of is NULL.
    columns: Iterator[bytes] = (column or b"" for column in row)
    sketches = Sketches.of(next(columns))
    ids = sketches.ids()
    outlines, places = sketches.outlines(ids), Places(ids)

    def whom() -> Column:
        return places.of(next(columns))

    found = {signal: Said(whom(), numbers(next(columns), "f8")) for signal in asked.finding}
    if near is not None:
        found[Signal.SEMANTIC] = Said(places.of(b"".join(id_.bytes for id_ in near)), list(near.values()))
    if confirmed:
        these = whom()
        outlines.confirmations[these] = numbers(next(columns), "i4")
        outlines.confirmed_at[these] = numbers(next(columns), "i8") + SINCE_2000
    if not asked.posted:
        return Drawn(outlines, found)
    these, posted = whom(), Posted(numbers(next(columns), "i8"))
    labelled = posted.terms <= len(search.labels)
    outlines.labels[:] = np.bincount(these[labelled], minlength=len(outlines)) / max(len(search.labels), 1)
    return Drawn(outlines, found, _words(search, these[~labelled], posted.only(~labelled)))


def _words(search: Search, whom: Column, posted: Posted) -> WordByWord:
    """What the words add, which were asked for behind the labels."""
    if search.weighing is None:
        return NO_WORDS
    words = posted.terms - len(search.labels) - 1
    return WordByWord(whom, words, search.weighing.additions(words, posted.frequencies, posted.lengths))
