"""What every clock, and everything that gives ids, keeps its word on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from lamina.domain.instants import checked_instant
from lamina.ports.clock import Clock
from lamina.ports.ids import Ids


class ClockContract:
    """It names one moment everywhere. A fixture `clock` gives one."""

    def test_the_time_has_a_time_zone(self, clock: Clock) -> None:
        assert checked_instant(clock.now(), "now") <= clock.now()


class IdsContract:
    """Nobody else has an id, and later ones sort later. A fixture `ids` gives one that has given none yet."""

    def test_they_are_new_and_in_order(self, ids: Ids) -> None:
        several = [ids.new() for _ in range(10_000)]
        assert several == sorted(set(several))

    def test_threads_never_get_the_same(self, ids: Ids) -> None:
        with ThreadPoolExecutor(8) as pool:
            batches = list(pool.map(lambda _: [ids.new() for _ in range(500)], range(8)))
        assert len({one for batch in batches for one in batch}) == 4_000
