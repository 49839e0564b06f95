"""Typology is what a memory is (P2). It is orthogonal to its tier, and most behaviour follows from it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from lamina.domain.tier import Tier


class Typology(StrEnum):
    """Episodic: what happened. Semantic: what is so. Procedural: how it is done."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Cell(NamedTuple):
    """A tier and a typology: what a record is kept as, and what policies are resolved for (D3)."""

    tier: Tier
    typology: Typology

    def __str__(self) -> str:
        return f"{self.tier}/{self.typology}"


CELLS = tuple(Cell(tier, typology) for tier in Tier for typology in Typology)
