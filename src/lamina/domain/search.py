"""One query as the signals want it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lamina.domain.ids import MemoryId
from lamina.domain.signals import Signal

Found = dict[Signal, Mapping[MemoryId, float]]
"""What each signal found, with its scores."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for: by a vector, by lexemes, by labels; a part that is not there is not asked."""

    limit: int
    vector: bytes | None = None
    model: str = ""
    lexemes: Sequence[str] = ()
    labels: Sequence[str] = field(default_factory=tuple)
    """As terms: `terms.label` of tags, or `terms.mention` of what a query names."""
