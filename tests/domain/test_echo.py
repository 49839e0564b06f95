"""What a session was shown does not come back as an observation; what says more than that does."""

from __future__ import annotations

from uuid import uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.echo import Shown
from lamina.domain.ids import MemoryId
from lamina.domain.record import Tags
from lamina.domain.rendering import NOTHING, Source, block
from lamina.testing.samples import record, uuid

GATE = "The conformity gate wants a citation of an authoritative source for each claim of a proposal"
LIMIT = "Operators set the limit to 40 after the inline test of the threshold family failed twice in March"
LINES = [Source(record("r", tags=Tags({"who": 'Ann] "x"'}))).line(body) for body in (GATE, LIMIT, "Prefers tea")]
IDS = {"gate": MemoryId(uuid("gate")), "limit": MemoryId(uuid("limit"))}
SHOWN = Shown.of({IDS["gate"]: GATE, IDS["limit"]: LIMIT, MemoryId(uuid("short")): "Prefers tea"})


@pytest.mark.parametrize(
    "echo",
    [
        GATE,
        GATE.upper() + "!",
        GATE.replace("a", "а"),
        GATE.replace("for each", "for\u200b each"),
        f"I recall: {GATE}.",
        f"{GATE} {LIMIT}",
        f"{GATE}. Also, {LIMIT}",
        " ".join(GATE.split()[2:]),
        "prefers tea",
        *LINES,
        block(LINES),
        "\n".join(LINES[1:]) + "\n",
        LINES[0] + " (cut)",
    ],
)
def test_an_echo_is_refused(echo: str) -> None:
    refusal = SHOWN.echoed_by(echo)
    assert refusal is not None
    assert refusal.rule == "echo"
    assert "which this session was shown" in refusal.reason


@pytest.mark.parametrize(
    "news",
    [
        LIMIT.replace("40", "50"),
        GATE.replace("wants", "no longer wants"),
        GATE.replace("authoritative", "internal"),
        f"{GATE}, and that is why the proposal of yesterday was turned down before anybody had even read it through",
        "Prefers coffee",
        "The gate was closed today",
        block([*LINES, Source(record("r")).line("The gate was closed today")]),
        block([]),
        NOTHING,
        '- [x] "\\q"',
    ],
)
def test_what_says_something_of_its_own_is_not(news: str) -> None:
    assert SHOWN.echoed_by(news) is None


@given(st.text(max_size=100))
def test_nothing_echoes_where_nothing_was_shown(text: str) -> None:
    assert Shown.of({}).echoed_by(text) is None


@given(st.lists(st.text(alphabet="abc é1", min_size=1, max_size=60), min_size=1, max_size=4))
def test_each_of_what_was_shown_echoes(bodies: list[str]) -> None:
    shown = Shown.of({MemoryId(uuid5(uuid("shown"), str(n))): body for n, body in enumerate(bodies)})
    assert all(shown.echoed_by(body) for body in bodies)
