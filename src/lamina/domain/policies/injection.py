"""P12, injection: how memory enters the prompt, and what has to leave first when it does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Annotated

from pydantic import Field

from lamina.domain.errors import UnknownKey
from lamina.domain.frozen import Frozen
from lamina.domain.ids import MemoryId
from lamina.domain.numbers import checked_number
from lamina.domain.tier import Tier


class Presence(StrEnum):
    """When a tier is in the prompt."""

    ALWAYS = "always-present"
    ON_DEMAND = "on-demand"


class InjectionPolicy(Frozen):
    """One tier's block of the prompt. The lowest priority is evicted first."""

    budget: Annotated[int, Field(ge=0)]
    priority: int
    presence: Presence

    @property
    def words(self) -> str:
        return f"{self.presence}, {self.budget} tokens, eviction priority {self.priority}"


@dataclass(frozen=True, slots=True)
class Item:
    """A memory that would like to be in the prompt, and how many tokens it takes as it is rendered."""

    id: MemoryId
    tier: Tier
    tokens: int

    def __post_init__(self) -> None:
        checked_number(self.tokens, f"tokens of {self.id}", at_least=1)


@dataclass(frozen=True, slots=True)
class Kept:
    """In the prompt; `tokens` is less than the item's own if it had to be trimmed."""

    item: Item
    tokens: int

    @property
    def trimmed(self) -> bool:
        """Whether only a part of it is in."""
        return self.tokens < self.item.tokens


@dataclass(frozen=True, slots=True)
class Dropped:
    """Not in the prompt, and why."""

    item: Item
    reason: str


@dataclass(frozen=True, slots=True)
class Packed:
    """What went in and what did not; together, every item that was offered."""

    kept: tuple[Kept, ...]
    dropped: tuple[Dropped, ...]

    @property
    def tokens(self) -> int:
        """How much of the budget is used."""
        return sum(kept.tokens for kept in self.kept)


def pack(items: Sequence[Item], blocks: Mapping[Tier, InjectionPolicy], budget: int) -> Packed:
    """Fills the budget from the highest priority down; within a tier the items come best first.

    What does not fit in what is left is dropped, and what comes after it may still go in; but where it is the whole
    budget that is short, nothing of a lower priority does. Only the best item of a block is trimmed rather than
    dropped.
    """
    checked_number(budget, "token budget", at_least=0)
    packer = _Packer(blocks, budget)
    for item in sorted(items, key=lambda item: -_block(blocks, item).priority):
        packer.offer(item)
    return Packed(tuple(packer.kept), tuple(packer.dropped))


def _block(blocks: Mapping[Tier, InjectionPolicy], item: Item) -> InjectionPolicy:
    try:
        return blocks[item.tier]
    except KeyError:
        known = ", ".join(blocks)
        raise UnknownKey(f"memory {item.id}", f"is of tier {item.tier}", f"the blocks are {known}") from None


class _Packer:
    def __init__(self, blocks: Mapping[Tier, InjectionPolicy], budget: int) -> None:
        self.room = budget
        self.room_in = {tier: block.budget for tier, block in blocks.items()}
        self.priority_of = {tier: block.priority for tier, block in blocks.items()}
        self.least: float = -inf
        """The priority that something was dropped of for want of budget: nothing lower goes in any more."""
        self.begun: set[Tier] = set()
        self.kept: list[Kept] = []
        self.dropped: list[Dropped] = []

    def offer(self, item: Item) -> None:
        fits = min(self.room, self.room_in[item.tier])
        first, tokens = item.tier not in self.begun, min(item.tokens, fits)
        self.begun.add(item.tier)
        if self.priority_of[item.tier] < self.least:
            self.dropped.append(Dropped(item, "the budget did not do for what has a higher priority"))
        elif item.tokens <= fits or (first and fits > 0):
            self._keep(item, tokens)
        else:
            self._drop(item)

    def _keep(self, item: Item, tokens: int) -> None:
        self.kept.append(Kept(item, tokens))
        self.room -= tokens
        self.room_in[item.tier] -= tokens

    def _drop(self, item: Item) -> None:
        left, of = self.room_in[item.tier], f"the {item.tier} block"
        if item.tokens <= left:
            left, of = self.room, "the budget"
            self.least = self.priority_of[item.tier]
        self.dropped.append(Dropped(item, f"it takes {item.tokens} tokens, and {left} of {of} are left"))
