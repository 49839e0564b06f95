"""What crosses a boundary, and the gates that change it on the way. Gates are pure, and several are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol, runtime_checkable

from lamina.domain.anchor import Anchor
from lamina.domain.ids import MemoryId
from lamina.domain.sanitization.provenance import Provenance
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text that is to cross, and what is known about it. `ref` is what it goes by on this side."""

    ref: MemoryId | str
    text: str
    anchor: Anchor | None = None
    tier: Tier | None = None
    typology: Typology | None = None
    provenance: Provenance | None = None
    since: datetime | None = None
    """Since when it is so, or when it was seen."""

    def saying(self, text: str) -> Passage:
        """The same with another text."""
        return replace(self, text=text)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a gate did to one passage, in words: a line of the manifest."""

    gate: str
    ref: MemoryId | str
    what: str
    stayed_behind: bool = False

    def __str__(self) -> str:
        return f"{self.gate}: {self.ref} {'stayed behind, ' if self.stayed_behind else ''}{self.what}"


@dataclass(frozen=True, slots=True)
class Crossed:
    """What arrived on the other side, and the manifest: what was changed, what stayed behind, and why."""

    passages: tuple[Passage, ...]
    manifest: tuple[Effect, ...] = ()


@runtime_checkable
class SanitizationGate(Protocol):
    """Changes what crosses a boundary, or keeps it back; whatever it does is in the manifest. It has no side effect."""

    @property
    def name(self) -> str:
        """What a spec's crossing calls it by."""
        ...

    def cross(self, passages: Sequence[Passage]) -> Crossed:
        """What arrives, in the same order."""
        ...


def through(gates: Sequence[SanitizationGate], passages: Sequence[Passage]) -> Crossed:
    """What arrives behind several gates, one after another, and the manifest of all of them."""
    crossed = Crossed(tuple(passages))
    for gate in gates:
        further = gate.cross(crossed.passages)
        crossed = Crossed(further.passages, (*crossed.manifest, *further.manifest))
    return crossed
