"""Two who move one contradiction at the same time: one of them does, the other is told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from lamina.adapters.postgres.store import open_store
from lamina.domain.contradiction import Contradiction
from lamina.domain.errors import StaleRecord
from lamina.ports.records import Entry
from lamina.testing.contracts.contradictions import DISMISSED, SURFACED, contradiction, moved
from lamina.testing.samples import EMBEDDING, SPEC, anchor, record

if TYPE_CHECKING:
    from tests.conftest import Database


def test_of_two_movers_one_moves_it(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    one, other = record("one"), record("other")
    opened = [contradiction(f"c {number}", one.id, other.id) for number in range(10)]
    with store.unit(anchor()) as unit:
        unit.records.add([Entry(one), Entry(other)])
        unit.contradictions.add(opened)

    def move(step: Contradiction) -> Contradiction | None:
        try:
            with store.unit(anchor()) as unit:
                unit.contradictions.move(step)
        except StaleRecord:
            return None
        return step

    for each in opened:
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(move, [moved(each, SURFACED), moved(each, DISMISSED)]))
        (winner,) = [step for step in done if step]
        with store.unit(anchor()) as unit:
            assert unit.contradictions.get(each.id) == winner
    store.close()
