"""Many rows of one table, turned on their side. What is the same in each of them is said once: most columns are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import is_
from typing import Any


@dataclass(frozen=True, slots=True)
class Columns:
    """What is the same in every row, and the columns of what is not, each with as many values as there are rows."""

    same: Mapping[str, Any]
    differing: Mapping[str, Sequence[Any]]


def turned(rows: Iterable[Mapping[str, Any]]) -> dict[str, Sequence[Any]]:
    """The columns of rows that all have the same names in the same order."""
    names: tuple[str, ...] = ()
    values: list[Any] = []
    # One long list, so that no row outlives its turn: ten thousand of them keep the garbage collector busy.
    for row in rows:
        names = names or tuple(row)
        values.extend(row.values())
    return {name: values[place :: len(names)] for place, name in enumerate(names)}


def parted(columns: Mapping[str, Sequence[Any]]) -> Columns:
    """The columns, those apart that have one and the same value all the way down."""
    same = {name: values[0] for name, values in columns.items() if _is_one(values)}
    return Columns(same, {name: values for name, values in columns.items() if name not in same})


def _is_one(values: Sequence[Any]) -> bool:
    # By identity, which is quickly told: what is equal and not the same is sent more often than it need be.
    return all(map(is_, values, repeat(values[0])))
