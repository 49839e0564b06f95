"""One of the words of a closed vocabulary, from a text that a user gave."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from lamina.domain.errors import UnknownKey

E = TypeVar("E", bound=StrEnum)


def choice(kind: type[E], value: str, where: str) -> E:
    """The member that the text names."""
    try:
        return kind(value)
    except ValueError as error:
        raise UnknownKey(f"{where} {value!r}", "is not known", f"choose one of {', '.join(kind)}") from error
