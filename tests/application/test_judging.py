"""A judge rules on what the rules leave open: outside any transaction, and about what still is as it saw it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.application.conftest import EMBEDDER, Urls

import lamina
from lamina.domain.policies.conflict import Ruling
from lamina.domain.state import Active, Archived, Superseded
from lamina.ports.judge import Ruled

TWELVE = "Report the threshold as 12 percent in every summary of the week"
THIRTEEN = "Report the threshold as 13 percent in every summary of the week"


class Judge:
    """Says what it was told to, and what it is told to do meanwhile."""

    def __init__(self) -> None:
        self.ruling = Ruling.UNSURE
        self.asked: list[tuple[str, str]] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def compare(self, known: str, incoming: str) -> Ruled:
        self.asked.append((known, incoming))
        act, self.meanwhile = self.meanwhile, lambda: None
        act()
        return Ruled(self.ruling, "as told")


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def kyc(urls: Urls, judge: Judge) -> Iterator[lamina.AnchoredMemory]:
    spec = lamina.WORLD_AGENT
    with lamina.open(urls(spec), spec=spec, embedder=EMBEDDER, judge=judge) as memory:
        yield memory.at(org_id="acme", domain_id="kyc")


@pytest.mark.parametrize(
    ("ruling", "expected"),
    [
        (Ruling.SAME, (lamina.Decision.NOOP, Active, 0)),
        (Ruling.REPLACES, (lamina.Decision.UPDATE, Superseded, 0)),
        (Ruling.DIFFERENT, (lamina.Decision.ADD, Active, 0)),
        (Ruling.UNSURE, (lamina.Decision.ADD, Active, 1)),
    ],
)
def test_its_word_decides(
    kyc: lamina.AnchoredMemory, judge: Judge, ruling: Ruling, expected: tuple[lamina.Decision, type, int]
) -> None:
    first = kyc.prefer(TWELVE)
    assert judge.asked == [], "nothing was open"
    judge.ruling = ruling
    second = kyc.prefer(THIRTEEN)
    assert judge.asked == [(TWELVE, THIRTEEN)]
    assert "the judge: as told" in second.reason
    old = kyc.history(first.id)[0].record.state
    assert (second.decision, type(old), len(kyc.contradictions())) == expected


def test_what_changed_while_it_thought_is_asked_again(kyc: lamina.AnchoredMemory, judge: Judge) -> None:
    first = kyc.prefer(TWELVE)
    judge.ruling = Ruling.REPLACES
    judge.meanwhile = lambda: kyc.archive(first.id, reason="stale")
    second = kyc.prefer(THIRTEEN)
    assert second.decision is lamina.Decision.ADD, "there is nothing to replace any more"
    assert isinstance(kyc.history(first.id)[0].record.state, Archived)
