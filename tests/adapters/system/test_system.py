from datetime import UTC, datetime, timedelta

import pytest

from lamina.adapters.system.clock import SystemClock
from lamina.adapters.system.ids import TimeOrderedIds
from lamina.ports.clock import Clock
from lamina.ports.ids import Ids
from lamina.testing.contracts import ClockContract, IdsContract


class TestClock(ClockContract):
    @pytest.fixture
    def clock(self) -> Clock:
        return SystemClock()


class TestIds(IdsContract):
    @pytest.fixture
    def ids(self) -> Ids:
        return TimeOrderedIds()


def test_ids_are_of_version_7() -> None:
    ids = TimeOrderedIds()
    several = [ids.new() for _ in range(10_000)]
    assert all(one.version == 7 and one.variant == "specified in RFC 4122" for one in several)


def test_an_id_says_when_it_was_made() -> None:
    milliseconds = TimeOrderedIds().new().int >> 80
    made = datetime.fromtimestamp(milliseconds / 1000, UTC)
    assert abs(datetime.now(UTC) - made) < timedelta(minutes=1)


def test_two_makers_do_not_collide() -> None:
    one, other = TimeOrderedIds(), TimeOrderedIds()
    assert not {one.new() for _ in range(1_000)} & {other.new() for _ in range(1_000)}
