"""What a number must be before anything computes with it."""

from __future__ import annotations

import math
from typing import Final

from lamina.domain.errors import NotANumber, OutOfRange, WrongType

_NUMBERS: Final = (int, float)


def checked_number(number: float, where: str, at_least: float = -math.inf, at_most: float = math.inf) -> float:
    """The number itself, if it is finite and inside its range."""
    if isinstance(number, bool) or not isinstance(number, _NUMBERS):
        raise WrongType(where, f"is a {type(number).__name__}", "give a number")
    if not math.isfinite(number):
        raise NotANumber(where, f"is {number}", "give a finite number")
    if not at_least <= number <= at_most:
        raise OutOfRange(where, f"is {number:g}", f"give a number {_range(at_least, at_most)}")
    return number


def _range(at_least: float, at_most: float) -> str:
    if math.isinf(at_most):
        return f"of at least {at_least:g}"
    if math.isinf(at_least):
        return f"of at most {at_most:g}"
    return f"from {at_least:g} to {at_most:g}"
