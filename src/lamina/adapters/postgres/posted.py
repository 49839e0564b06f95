"""Postings as they come from PostgreSQL: which term, how often, and in how long a text, as one number. To send three
takes longer than to find them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from lamina.domain.outline import Column

TERM: Final = 48
FREQUENCY: Final = 24
"""How far to the left the number of a term stands, and how often a record has it; behind is the record's length."""
_PART: Final = (1 << FREQUENCY) - 1


@dataclass(frozen=True, slots=True)
class Posted:
    """Some postings, by columns. PostgreSQL counts the places of an array from 1, and so are the terms counted."""

    packed: Column

    @property
    def terms(self) -> Column:
        """The number of each term."""
        return self.packed >> TERM

    @property
    def frequencies(self) -> Column:
        return self.packed >> FREQUENCY & _PART

    @property
    def lengths(self) -> Column:
        return self.packed & _PART

    def only(self, kept: Column) -> Posted:
        """Some of them."""
        return Posted(self.packed[kept])

    def counted(self, terms: int) -> Column:
        """How often each of so many terms was posted; nothing is of number 0."""
        return np.bincount(self.terms, minlength=terms + 1)
