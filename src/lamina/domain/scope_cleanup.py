"""What goes when a scope ends (P6, D10): transient memory that nothing points at. It is the only removal there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lamina.domain.audit import may_remove
from lamina.domain.ids import MemoryId
from lamina.domain.refusal import Refusal
from lamina.domain.tier import Tier


class Pointer(StrEnum):
    """What can point at a record and would be left pointing at nothing."""

    ACTION = "action"
    CORROBORATION = "corroboration"
    EVIDENCE = "evidence"
    CONTRADICTION = "contradiction"


_SAYING: Final = {
    Pointer.ACTION: "an action was justified by it",
    Pointer.CORROBORATION: "somebody has spoken for it or against it",
    Pointer.EVIDENCE: "it is evidence for another record",
    Pointer.CONTRADICTION: "it is one side of a contradiction",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """One record of a scope that has ended, and what points at it."""

    id: MemoryId
    tier: Tier
    pointers: frozenset[Pointer] = frozenset()
    followed_from: frozenset[MemoryId] = frozenset()
    """The records that were superseded by it, invalidated by it, or promoted into it."""


@dataclass(frozen=True, slots=True)
class CleanUp:
    """Which records go, and why each of the others stays."""

    removed: tuple[MemoryId, ...]
    kept: Mapping[MemoryId, Refusal]


def clean_up(standings: Iterable[Standing]) -> CleanUp:
    """What follows a record that stays, stays too: its history would end nowhere otherwise."""
    there = {one.id: one for one in standings}
    kept = {one.id: refusal for one in there.values() if (refusal := may_go(one))}
    while followers := _followers(there, kept):
        kept |= followers
    return CleanUp(tuple(id_ for id_ in there if id_ not in kept), kept)


def may_go(one: Standing) -> Refusal | None:
    """Why a record stays by itself, if it does."""
    refused = may_remove(one.tier, scope_ended=True, action_linked=Pointer.ACTION in one.pointers)
    if refused or not one.pointers:
        return refused
    return Refusal("provenance", f"{'; '.join(_SAYING[pointer] for pointer in sorted(one.pointers))}: it stays")


def pointing(pointers: frozenset[Pointer], followed_from: frozenset[MemoryId]) -> int:
    """How many kinds of things point at a record and need what it says: an action, a record that it is evidence for, a
    contradiction, a record that it took the place of. What was said of the record itself is part of its trail."""
    return len(pointers - {Pointer.CORROBORATION}) + bool(followed_from)


def _followers(there: Mapping[MemoryId, Standing], kept: Mapping[MemoryId, Refusal]) -> dict[MemoryId, Refusal]:
    """Those that are still to go, though a record that stays, or one outside the scope, leads on to them."""
    return {
        one.id: Refusal("lineage", f"{first} leads on to it, and stays")
        for one in there.values()
        if one.id not in kept
        for first in sorted(one.followed_from)
        if first in kept or first not in there
    }
