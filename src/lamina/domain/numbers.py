"""What a number must be before anything computes with it."""

from __future__ import annotations

import math
from typing import Final

from lamina.domain.errors import NotANumber, OutOfRange, WrongType

_NUMBERS: Final = (int, float)
_LONG: Final = 1e15
"""A number that is further from 0 is not shown in full: it may have a thousand digits."""


def checked_number(number: float, where: str, at_least: float = -math.inf, at_most: float = math.inf) -> float:
    """The number itself, if it is finite and inside its range."""
    if isinstance(number, bool) or not isinstance(number, _NUMBERS):
        raise WrongType(where, f"is a {type(number).__name__}", "give a number")
    if not -math.inf < number < math.inf:
        raise NotANumber(where, f"is {number}", "give a finite number")
    if not at_least <= number <= at_most:
        raise OutOfRange(where, f"is {_shown(number)}", f"give a number {_range(at_least, at_most)}")
    return number


def checked_whole(number: int, where: str, at_least: int, at_most: int) -> int:
    """The number itself, if it is a whole one inside its range: so many of something."""
    if isinstance(number, float) and math.isfinite(number):
        raise WrongType(where, f"is {number:g}", "give a whole number")
    if isinstance(number, bool) or not isinstance(number, _NUMBERS):
        raise WrongType(where, f"is a {type(number).__name__}", "give a whole number")
    checked_number(number, where, at_least, at_most)
    return number


def _range(at_least: float, at_most: float) -> str:
    if math.isinf(at_most):
        return f"of at least {_shown(at_least)}"
    if math.isinf(at_least):
        return f"of at most {_shown(at_most)}"
    return f"from {_shown(at_least)} to {_shown(at_most)}"


def _shown(number: float) -> str:
    if abs(number) > _LONG:
        return f"beyond {_LONG if number > 0 else -_LONG:g}"
    return f"{number:g}" if number % 1 else f"{int(number):,}"
