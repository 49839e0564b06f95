"""What the machine says: few texts, of which it is known beforehand which read alike and which say the same."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Final
from uuid import UUID

from hypothesis import strategies as st

from lamina.domain.claim import Claim
from lamina.domain.corroboration import SourceType
from lamina.ports.embedder import Embedder

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
RULE_ID: Final = UUID(int=7)
RULE_BODY: Final = (
    "Whoever proposes a rule names at least one authoritative citation, and whoever reviews it reads every citation."
)
_SENTENCES: Final = (
    "the conformity gate of our onboarding domain refused {} proposals because nobody had named authoritative sources"
    " although every applicant was told twice what reviewers expect from them before anything can pass",
    "ann walks her old brown dog along river bank for {} minutes before she begins working each morning while it is"
    " still dark outside unless heavy rain keeps both indoors until noon",
    "monthly invoices above limit go through {} separate reviewers whose signatures finance department keeps safely"
    " inside locked cabinets which auditors open once per quarter with two keys",
)
_STYLES: Final = (str, str.upper, lambda text: f"{text}!")


@dataclass(frozen=True)
class Text:
    """One of a few sentences, with a number in it that makes another statement, and a style that does not."""

    family: int
    number: int = 1
    style: int = 0

    @property
    def body(self) -> str:
        """As it is written."""
        if self.family < 0:
            return RULE_BODY
        return _STYLES[self.style](_SENTENCES[self.family].format(self.number))

    @property
    def says(self) -> tuple[int, int]:
        """What it comes to."""
        return (self.family, self.number) if self.family >= 0 else (-1, 0)


@dataclass(frozen=True)
class Statement:
    """What is said: what it claims, when it began, and within which session if any."""

    text: Text
    claim: Claim | None
    back: timedelta | None
    within: int


@dataclass(frozen=True)
class Spoken:
    """Who speaks, in which session, and what for."""

    kind: SourceType
    ref: int
    session: int
    confirms: bool


COPY: Final = Text(-1)
PICKS: Final = st.integers(0, 2**16)
"""A number that stands for one of however many there are."""
TEXTS: Final = st.builds(Text, st.integers(0, 2), st.integers(1, 3), st.integers(0, 2))
SAYINGS: Final = st.builds(Text, st.sampled_from([0, 1, 2] * 4 + [-1]), st.integers(1, 3), st.integers(0, 2))
"""Now and then one that copies the rule."""
CLAIMS: Final = st.builds(
    Claim,
    st.sampled_from(["gate", " Gate"]),
    st.sampled_from(["requires", "requires", "wants"]),
    st.sampled_from(["a", "A ", "b"]),
)
KINDS: Final = st.sampled_from([SourceType.OPERATOR_INPUT, SourceType.OBSERVATION_EVENT])
HOURS: Final = st.sampled_from([-30, -1, 1, 5, 25, 24 * 40, 24 * 91])
BACK: Final = st.none() | st.integers(-60, 10).map(lambda days: timedelta(days=days))
STATEMENTS: Final = st.builds(Statement, SAYINGS, st.none() | CLAIMS, BACK, PICKS)
SPOKEN: Final = st.builds(Spoken, KINDS, PICKS, PICKS, st.booleans())


def check_vocabulary(embedder: Embedder) -> None:
    """What the model takes for granted of the texts: one sentence reads like itself, and like no other."""
    texts = [Text(family, number) for family, number in product(range(len(_SENTENCES)), (1, 2, 3))]
    vectors = [array("f", vector) for vector in embedder.documents([text.body for text in texts])]
    for (one, mine), (other, theirs) in product(zip(texts, vectors, strict=True), repeat=2):
        cosine = sum(a * b for a, b in zip(mine, theirs, strict=True))
        assert (cosine > 0.92) == (one.family == other.family), f"{one} and {other}: {cosine:.3f}"


class TurnedClock:
    """Stands still until it is turned; it can be turned back."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        """The time that it shows."""
        return self.time


class CountedIds:
    """Ids that count up, so that two stores are given the same ones; a plan's are given once more."""

    def __init__(self, count: int = 2**64) -> None:
        self.count = count

    def new(self) -> UUID:
        """The next."""
        self.count += 1
        return UUID(int=self.count)
