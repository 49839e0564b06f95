from collections import defaultdict
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain import defaults
from lamina.domain.errors import OutOfRange, UnknownKey
from lamina.domain.ids import MemoryId
from lamina.domain.policies.injection import InjectionPolicy, Item, Kept, Packed, Presence, pack
from lamina.domain.tier import Tier
from lamina.testing.spec_strategies import injections
from lamina.testing.strategies import memory_ids

items = st.lists(st.builds(Item, memory_ids, st.sampled_from(Tier), st.integers(1, 200)), max_size=12)
blocks = st.fixed_dictionaries(dict.fromkeys(Tier, injections))
budgets = st.integers(0, 1_000)
Blocks = dict[Tier, InjectionPolicy]


@given(items, blocks, budgets)
def test_the_budget_and_every_block_are_kept(items: list[Item], blocks: Blocks, budget: int) -> None:
    packed = pack(items, blocks, budget)
    assert packed.tokens <= budget
    used: dict[Tier, int] = defaultdict(int)
    for kept in packed.kept:
        used[kept.item.tier] += kept.tokens
        assert 0 < kept.tokens <= kept.item.tokens
    assert all(tokens <= blocks[tier].budget for tier, tokens in used.items())


@given(items, blocks, budgets)
def test_every_item_is_in_or_out_with_a_reason(items: list[Item], blocks: Blocks, budget: int) -> None:
    packed = pack(items, blocks, budget)
    everything = [kept.item for kept in packed.kept] + [dropped.item for dropped in packed.dropped]
    assert sorted(everything, key=repr) == sorted(items, key=repr)
    assert all(dropped.reason for dropped in packed.dropped)


@given(items, blocks, budgets)
def test_a_higher_priority_is_never_evicted_before_a_lower(items: list[Item], blocks: Blocks, budget: int) -> None:
    packed = pack(items, blocks, budget)
    short = [blocks[out.item.tier].priority for out in packed.dropped if out.reason.endswith("of the budget are left")]
    kept = [blocks[kept.item.tier].priority for kept in packed.kept]
    assert not short or all(priority >= max(short) for priority in kept)


@given(items, blocks, budgets)
def test_within_a_tier_the_best_stay(items: list[Item], blocks: Blocks, budget: int) -> None:
    """Nothing better is left out for it: what is dropped would not have fitted beside what is better and stayed."""
    packed = pack(items, blocks, budget)
    taken = {id(one.item): one.tokens for one in packed.kept}
    for tier in Tier:
        offered = [item for item in items if item.tier is tier]
        assert [one.item for one in packed.kept if one.item.tier is tier] == [
            one for one in offered if id(one) in taken
        ]
        before = 0
        for item in offered:
            above = sum(one.tokens for one in packed.kept if blocks[one.item.tier].priority > blocks[tier].priority)
            room = min(blocks[tier].budget, budget - above)
            assert id(item) in taken or before + item.tokens > room or _has_no_room(packed, blocks, tier)
            before += taken.get(id(item), 0)


def _has_no_room(packed: Packed, blocks: Blocks, tier: Tier) -> bool:
    """Whether the budget did not do for a tier of a higher priority, or is shared with others of the same."""
    rank = blocks[tier].priority
    short = any(out.reason.endswith("of the budget are left") for out in packed.dropped)
    equals = any(one.item.tier is not tier and blocks[one.item.tier].priority == rank for one in packed.kept)
    return short or equals


@given(items, blocks, st.integers(1, 1_000))
def test_a_budget_never_returns_nothing_though_there_is_a_hit(items: list[Item], blocks: Blocks, budget: int) -> None:
    if any(blocks[item.tier].budget for item in items):
        assert pack(items, blocks, budget).kept


@given(items, blocks, budgets)
def test_only_the_best_of_a_block_is_trimmed(items: list[Item], blocks: Blocks, budget: int) -> None:
    for kept in pack(items, blocks, budget).kept:
        if kept.trimmed:
            assert kept.item == next(item for item in items if item.tier is kept.item.tier)


def test_an_oversized_hit_is_trimmed_and_flagged() -> None:
    item = Item(MemoryId(UUID(int=1)), Tier.PERSISTENT, 5_000)
    assert pack([item], defaults.INJECTION, budget=800).kept == (Kept(item, 800),)
    assert Kept(item, 800).trimmed


def test_the_best_of_each_block_is_trimmed_and_each_drop_says_what_was_full() -> None:
    blocks = {tier: InjectionPolicy(budget=10, priority=1, presence=Presence.ALWAYS) for tier in Tier}
    big, small, other = (Item(MemoryId(UUID(int=n)), tier, 50) for n, tier in enumerate([*Tier]))
    packed = pack([big, small, other], blocks, budget=25)
    assert [kept.tokens for kept in packed.kept] == [10, 10, 5]
    second = Item(MemoryId(UUID(int=9)), Tier.INTERACTION, 5)
    reasons = [out.reason for out in pack([big, second], blocks, 100).dropped]
    assert reasons == ["it takes 5 tokens, and 0 of the interaction block are left"]
    fits = Item(MemoryId(UUID(int=8)), Tier.INTERACTION, 4)
    reasons = [out.reason for out in pack([fits, second], blocks, 6).dropped]
    assert reasons == ["it takes 5 tokens, and 2 of the budget are left"]


def test_what_is_too_long_makes_way_for_what_is_shorter() -> None:
    sizes = [40, 500, 30, 200, 20]
    best, long, *others = (Item(MemoryId(UUID(int=n)), Tier.PERSISTENT, size) for n, size in enumerate(sizes))
    packed = pack([best, long, *others], defaults.INJECTION, budget=100)
    assert [kept.item.tokens for kept in packed.kept] == [40, 30, 20]
    assert packed.dropped[0].reason == "it takes 500 tokens, and 60 of the budget are left"


def test_nothing_of_a_lower_priority_takes_what_a_higher_could_not_use() -> None:
    blocks = {
        tier: InjectionPolicy(budget=100, priority=priority, presence=Presence.ALWAYS)
        for priority, tier in enumerate([Tier.PERSISTENT, Tier.SESSION, Tier.INTERACTION])
    }
    sizes = [(Tier.SESSION, 10), (Tier.SESSION, 60), (Tier.PERSISTENT, 5)]
    items = [Item(MemoryId(UUID(int=n)), tier, size) for n, (tier, size) in enumerate(sizes)]
    packed = pack(items, blocks, budget=50)
    assert [kept.item.tokens for kept in packed.kept] == [10]
    assert [out.reason for out in packed.dropped] == [
        "it takes 60 tokens, and 40 of the budget are left",
        "the budget did not do for what has a higher priority",
    ]


def test_bad_budgets_and_tiers() -> None:
    item = Item(MemoryId(UUID(int=1)), Tier.SESSION, 5)
    with pytest.raises(OutOfRange, match="token budget is -1; give a number of at least 0"):
        pack([item], defaults.INJECTION, budget=-1)
    with pytest.raises(UnknownKey, match="is of tier session; the blocks are persistent"):
        pack([item], {Tier.PERSISTENT: InjectionPolicy(budget=1, priority=1, presence=Presence.ALWAYS)}, budget=1)
    with pytest.raises(OutOfRange, match="tokens of"):
        Item(MemoryId(UUID(int=1)), Tier.SESSION, 0)
