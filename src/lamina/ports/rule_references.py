"""Which canonical rules a record refers to (D6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from lamina.domain.ids import MemoryId
from lamina.domain.references import RuleRef


class RuleReferences(Protocol):
    """Keeps references as rows of their own. Raises `UnknownRule` for a rule or a version that is not there; a rule
    that is referred to cannot be deleted."""

    def add(self, memory_id: MemoryId, rules: Sequence[RuleRef]) -> None:
        """Refers to these rules; one that is referred to already stays so."""
        ...

    def of(self, memory_id: MemoryId) -> frozenset[RuleRef]:
        """The rules that a record refers to."""
        ...

    def of_any(self, ids: Iterable[MemoryId]) -> Mapping[MemoryId, frozenset[RuleRef]]:
        """The rules that each record refers to, for each that refers to any."""
        ...
