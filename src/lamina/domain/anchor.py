"""Anchors are data (P1): the agent's tenancy as an ordered tuple of keys. Every other choice follows from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid5

from lamina.domain.errors import MissingKey, UnknownKey, WrongType
from lamina.domain.frozen import Frozen, Name
from lamina.domain.ids import AnchorId
from lamina.domain.text import checked_text

AnchorValue = str | int | UUID
LONGEST_VALUE: Final = 200
# Changing this moves every anchor of every store: it is part of the storage format.
_NAMESPACE: Final = UUID("6c616d69-6e61-5061-8e63-686f72000001")


@dataclass(frozen=True, slots=True)
class Anchor:
    """Whose memory it is: every key of the persistent anchor with its value, in the spec's order."""

    parts: tuple[tuple[str, str], ...]
    id: AnchorId = field(init=False, repr=False, compare=False)
    """One id for one tuple; every row carries it, so it is worked out once."""

    def __post_init__(self) -> None:
        for name, value in self.parts:
            checked_text(value, f"anchor key {name}", at_most=LONGEST_VALUE)
        # JSON keeps the parts apart, so no two tuples run together.
        name = json.dumps(self.parts, ensure_ascii=False)
        object.__setattr__(self, "id", AnchorId(uuid5(_NAMESPACE, name)))

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.parts)


@dataclass(frozen=True, slots=True)
class AnchorPattern:
    """Several anchors at once, for operators: a key without a value is open. Values match by equality only."""

    parts: tuple[tuple[str, str | None], ...]

    def __post_init__(self) -> None:
        for name, value in self.parts:
            if value is not None:
                checked_text(value, f"anchor key {name}", at_most=LONGEST_VALUE)

    def matches(self, anchor: Anchor) -> bool:
        """Whether the anchor has every value that this pattern asks for."""
        values = dict(anchor.parts)
        return all(value is None or values.get(name) == value for name, value in self.parts)


class AnchorKey(Frozen):
    """One key of the scope tuple."""

    name: Name
    nullable_across: bool = False
    """Whether a cross-scope query may leave it open. Never for a key that parts two customers."""


class AnchorModel(Frozen):
    """The scope tuple, from the broadest key to the narrowest."""

    keys: tuple[AnchorKey, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The keys' names, in order."""
        return tuple(key.name for key in self.keys)

    def bind(self, values: Mapping[str, AnchorValue]) -> Anchor:
        """The anchor with these values; each key must have one."""
        given = self._known(values)
        missing = [name for name in self.names if name not in given]
        if missing:
            raise MissingKey("anchor", f"lacks {', '.join(missing)}", f"give {_as_arguments(self.names)}")
        return Anchor(tuple((name, given[name]) for name in self.names))

    def pattern(self, values: Mapping[str, AnchorValue]) -> AnchorPattern:
        """The anchors with these values; only a nullable key may be left open."""
        given = self._known(values)
        closed = [key.name for key in self.keys if not key.nullable_across and key.name not in given]
        if closed:
            raise MissingKey(
                "query across anchors",
                f"leaves {', '.join(closed)} open",
                "give it a value: the spec lets no query cross it",
            )
        return AnchorPattern(tuple((name, given.get(name)) for name in self.names))

    def _known(self, values: Mapping[str, AnchorValue]) -> dict[str, str]:
        for name, value in values.items():
            if name not in self.names:
                raise UnknownKey("anchor", f"has no key {name!r}", f"its keys are {', '.join(self.names)}")
            if isinstance(value, bool) or not isinstance(value, AnchorValue):
                found = type(value).__name__
                raise WrongType(f"anchor key {name}", f"is a {found}", "give a string, a whole number or a UUID")
        return {name: str(value) for name, value in values.items()}


def _as_arguments(names: tuple[str, ...]) -> str:
    return ", ".join(f"{name}=..." for name in names)
