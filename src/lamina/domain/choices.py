"""The words of a closed vocabulary, from texts that a user gave."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from lamina.domain.errors import UnknownKey, WrongType

E = TypeVar("E", bound=StrEnum)


def choice(kind: type[E], value: str, where: str) -> E:
    """The member that the text names."""
    try:
        return kind(value)
    except ValueError as error:
        raise UnknownKey(f"{where} {value!r}", "is not known", f"choose one of {', '.join(kind)}") from error


def choices(kind: type[E], values: Iterable[str], where: str) -> frozenset[E]:
    """The members that the texts name; one text stands for itself."""
    some = [values] if isinstance(values, str) else values
    if not isinstance(some, Iterable):
        raise WrongType(where, f"is a {type(values).__name__}", f"give some of {', '.join(kind)}")
    return frozenset(choice(kind, one, where) for one in some)
