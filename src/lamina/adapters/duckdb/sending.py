"""Columns on their way into a statement, each as what DuckDB takes in fastest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import repeat
from operator import is_not
from typing import Any, Final
from uuid import UUID

import numpy as np

from lamina.adapters.duckdb.arrays import Array, as_texts
from lamina.domain.columns import parted
from lamina.domain.instants import EPOCH

_MICROSECOND: Final = timedelta(microseconds=1)


class Sending:
    """What is the same in every row is sent once; ids are sent as texts, times as numbers; what is never there is not.

    Any other object is asked for its text one by one by the driver, which takes three times as long for an id.
    """

    def __init__(self, given: Mapping[str, Sequence[Any]]) -> None:
        self.columns: dict[str, Array] = {}
        self.constants: list[Any] = []
        self._selected: list[str] = []
        columns = parted(given)
        for name, value in columns.same.items():
            if value is not None:
                self.constants.append(value)
                self._selected.append(f"? AS {name}")
        for name, values in columns.differing.items():
            self._take(name, values)

    @property
    def selected(self) -> str:
        """What to select from the columns, with the constants as parameters, to get what was given."""
        return ", ".join(self._selected)

    def _take(self, name: str, values: Sequence[Any]) -> None:
        first = values[0]
        if isinstance(first, UUID) and _whole(values):
            self.columns[name] = column_of(as_texts(values))
            self._selected.append(f"{name}::UUID AS {name}")
        elif isinstance(first, datetime) and _whole(values):
            self.columns[name] = np.array([(value - EPOCH) // _MICROSECOND for value in values])
            self._selected.append(f"make_timestamptz({name}) AS {name}")
        else:
            self.columns[name] = column_of(values)
            self._selected.append(name)


def _whole(values: Sequence[Any]) -> bool:
    return all(map(is_not, values, repeat(None)))


def column_of(values: Sequence[Any]) -> Array:
    """Values of any kind as one column."""
    column: Array = np.empty(len(values), dtype=object)
    column[:] = values
    return column
