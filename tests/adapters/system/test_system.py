from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from lamina.adapters.system.clock import SystemClock
from lamina.adapters.system.ids import TimeOrderedIds


def test_ids_are_new_and_in_order() -> None:
    ids = TimeOrderedIds()
    several = [ids.new() for _ in range(10_000)]
    assert several == sorted(set(several))
    assert all(one.version == 7 and one.variant == "specified in RFC 4122" for one in several)


def test_an_id_says_when_it_was_made() -> None:
    milliseconds = TimeOrderedIds().new().int >> 80
    made = datetime.fromtimestamp(milliseconds / 1000, UTC)
    assert abs(datetime.now(UTC) - made) < timedelta(minutes=1)


def test_threads_never_get_the_same_id() -> None:
    ids = TimeOrderedIds()
    with ThreadPoolExecutor(8) as pool:
        batches = list(pool.map(lambda _: [ids.new() for _ in range(500)], range(8)))
    assert len({one for batch in batches for one in batch}) == 4_000


def test_two_makers_do_not_collide() -> None:
    one, other = TimeOrderedIds(), TimeOrderedIds()
    assert not {one.new() for _ in range(1_000)} & {other.new() for _ in range(1_000)}


def test_the_time_has_a_time_zone() -> None:
    assert SystemClock().now().utcoffset() == timedelta()
