"""A documented departure from a typology's default."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from lamina.domain.frozen import Frozen, Words

T_co = TypeVar("T_co", covariant=True)


class Deviation(Frozen, Generic[T_co]):
    """Another value than the typology's default, and the reason for it."""

    value: T_co
    justification: Words

    def __reduce__(self) -> tuple[Any, ...]:
        # What a parameterized model's class is called cannot be imported, so it is pickled by its origin.
        return _deviation, (self.value, self.justification)


def _deviation(value: T_co, justification: str) -> Deviation[T_co]:  # type: ignore[misc]
    return Deviation(value=value, justification=justification)
