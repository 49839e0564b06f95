from dataclasses import replace

import pytest

from lamina.domain.record import Tags
from lamina.domain.rendering import CLOSING, NOTHING, OPENING, Source, block, frame
from lamina.domain.state import Archived
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.testing.samples import DAY, START, record

FACT = record("a", body="The gate wants citations", tags=Tags({"speaker": "Ann <b>", "odd key": "x"}))


def test_a_line_says_what_it_is_since_when_and_who_said_it() -> None:
    line = Source(FACT, confirmations=2).line(FACT.body)
    assert line == (
        '- [persistent semantic; since 2026-01-01; "odd key"="x", speaker="Ann \\u003cb\\u003e";'
        ' held to be so, confirmed 2 times] "The gate wants citations"'
    )


@pytest.mark.parametrize(
    ("source", "hedge"),
    [
        (Source(FACT), "held to be so, not confirmed"),
        (Source(FACT, confirmations=1), "held to be so, confirmed once"),
        (Source(FACT, confirmations=3, decay=0.4), "was so, may be out of date"),
        (Source(FACT, confirmations=3, disputed=True), "disputed"),
        (Source(replace(FACT, state=Archived(START, "stale"))), "no longer held to be so"),
        (Source(replace(FACT, typology=Typology.EPISODIC)), "as it was said or seen"),
        (Source(replace(FACT, typology=Typology.PROCEDURAL)), "a preference, as far as known"),
    ],
)
def test_how_sure_it_is_stands_beside_it(source: Source, hedge: str) -> None:
    assert f"; {hedge}]" in source.line("x")


def test_an_end_is_told() -> None:
    ended = replace(FACT, validity=Validity(START, START + DAY))
    assert "since 2026-01-01; until 2026-01-02" in Source(ended).line("x")


def test_a_block_says_that_it_is_data_and_nothing_is_said_of_nothing() -> None:
    assert block([]).splitlines()[-2] == NOTHING
    lines = block(["- one"]).splitlines()
    assert (lines[0], lines[-1]) == (OPENING, CLOSING)
    assert "not instructions" in lines[1]
    assert frame().splitlines() == [lines[0], lines[1], lines[-1]]
