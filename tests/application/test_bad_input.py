"""Bad input: each is refused with its reason, and the state is what it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

import lamina
from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.record import MemoryRecord

LATER = datetime(2030, 1, 1, tzinfo=UTC)
VOICE = lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4())


@dataclass(frozen=True)
class Scene:
    """A memory in which something of every kind is there."""

    kyc: lamina.AnchoredMemory
    known: MemoryId
    retired: MemoryId
    pinned: MemoryId
    elsewhere: MemoryId
    undone: DecisionId
    open: lamina.Session
    closed: lamina.Session

    def everything(self) -> tuple[object, ...]:
        """All that is stored of the anchor, read past the verbs."""
        with self.kyc._resources.store.reading(self.kyc.anchor) as unit:
            transient = unit.scope_cleanup.contents(self.open.scope) + unit.scope_cleanup.contents(self.closed.scope)
            return (
                unit.reviews.page(None, 100),
                transient,
                unit.records.get(one.id for one in transient),
                unit.contradictions.with_status(ContradictionStatus.OPEN, 100),
                unit.action_links.behind("refund", "r-1"),
            )

    def record(self, memory_id: MemoryId) -> MemoryRecord:
        return self.kyc.history(memory_id)[0].record


@pytest.fixture
def scene(memory: lamina.Memory, kyc: lamina.AnchoredMemory) -> Scene:
    known, retired, pinned = (kyc.prefer(text).require().id for text in ("Be concise", "Be long", "Cite the source"))
    kyc.archive(retired, reason="stale").require()
    kyc.link_action("refund", "r-1", [pinned]).require()
    wrong = kyc.prefer("Never on Mondays").require().id
    kyc.undo(kyc.history(wrong)[0].decisions[-1].id, reason="a mistake").require()
    closed, opened = kyc.session(), kyc.session()
    closed.close()
    opened.observe("The gate refused a proposal").require()
    aml = memory.at(org_id="acme", domain_id="aml").session()
    elsewhere = aml.observe("The gate refused a proposal").require().id
    undone = kyc.history(wrong)[0].decisions[-1].id
    return Scene(kyc, known, retired, pinned, elsewhere, undone, opened, closed)


Refused = Callable[[Scene], lamina.Outcome]
LINES: list[tuple[str, Refused, str, str]] = [
    ("no evidence", lambda s: s.open.propose("A fact"), "evidence", "a fact needs evidence: say because=[...]"),
    (
        "evidence of another anchor",
        lambda s: s.open.propose("A fact", because=[s.elsewhere]),
        "evidence",
        "is no memory of this anchor",
    ),
    ("corroborating a retired record", lambda s: s.kyc.corroborate(s.retired, VOICE), "corroboration", "is archived"),
    ("closing twice", lambda s: s.closed.close().outcomes[0], "scope", "this session is closed: open another"),
    ("observing when it is over", lambda s: s.closed.observe("More"), "scope", "this session is closed"),
    ("proposing when it is over", lambda s: s.closed.propose("More"), "scope", "this session is closed"),
    ("preferring when it is over", lambda s: s.closed.prefer("More"), "scope", "this session is closed"),
    ("escalating when it is over", lambda s: s.closed.escalate().outcomes[0], "scope", "this session is closed"),
    ("a turn when it is over", lambda s: s.closed.interaction().observe("More"), "scope", "this session is closed"),
    (
        "closing a turn of what is over",
        lambda s: s.closed.interaction().close().outcomes[0],
        "scope",
        "this session is closed",
    ),
    (
        "time going backwards",
        lambda s: s.kyc.invalidate(s.known, reason="?", since=s.record(s.known).validity.valid_at - timedelta(days=1)),
        "validity",
        "give a later `since`",
    ),
    ("archiving a pinned record", lambda s: s.kyc.archive(s.pinned, reason="?"), "action-linkage", "refund r-1 was"),
    ("undo of an undo", lambda s: s.kyc.undo(s.undone, reason="?"), "undo", "an undo is not undone"),
]


@pytest.mark.parametrize(
    ("refused", "rule", "words"), [line[1:] for line in LINES], ids=[line[0].replace(" ", "-") for line in LINES]
)
def test_it_is_refused_with_its_reason_and_changes_nothing(
    scene: Scene, refused: Refused, rule: str, words: str
) -> None:
    before = scene.everything()
    outcome = refused(scene)
    assert (outcome.decision, outcome.rule, outcome.ids) == (lamina.Decision.REFUSED, rule, ())
    assert words in outcome.reason
    assert scene.everything() == before


ASKED: list[tuple[dict[str, Any], str]] = [
    ({"limit": 3.0}, "limit is 3; give a whole number"),
    ({"include_retired": "no"}, "include_retired is a str; give True or False"),
    ({"limit": 10**400}, "limit is beyond 1e.15"),
    ({"tags": {"speaker": None}}, "tag speaker is a NoneType"),
    ({"tags": {"speaker": "\ud800"}}, "tag speaker has half of a surrogate pair"),
    ({"tags": {5: "x"}}, "tag key is a int"),
    ({"tags": ["speaker"]}, "tags are a list"),
    ({"tiers": 5}, "tier is a int"),
    ({"tiers": ["cupboard"]}, "tier 'cupboard' is not known; choose one of"),
    ({"typologies": None}, "typology is a NoneType"),
    ({"typologies": ["nonsense"]}, "typology 'nonsense' is not known; choose one of"),
    ({"since": LATER, "until": LATER - timedelta(days=1)}, "since .* is after until"),
]


@pytest.mark.parametrize(("how", "says"), ASKED)
def test_what_cannot_be_asked_is_said_alike_on_both_stores(scene: Scene, how: dict[str, Any], says: str) -> None:
    for asked in (scene.kyc, scene.kyc.as_of()):
        with pytest.raises(lamina.LaminaError, match=says):
            asked.recall("concise", **how)


def test_what_is_no_time_no_id_and_no_list_of_texts_is_said(scene: Scene) -> None:
    given: Any
    for given in (0, "", False):
        with pytest.raises(lamina.LaminaError, match="valid_at"):
            scene.kyc.as_of(valid_at=given)
        with pytest.raises(lamina.LaminaError, match="session_id is a"):
            scene.kyc.inject("concise", session_id=given)
        with pytest.raises(lamina.LaminaError, match="session_id is a"):
            scene.kyc.session(given)
    for given in ("concise", b"concise", 5, None):
        with pytest.raises(lamina.LaminaError, match="texts are a"):
            scene.kyc.recall_many(given)


def test_the_names_of_tiers_and_typologies_do_as_well(scene: Scene) -> None:
    named = {"tiers": ["persistent"], "typologies": "procedural"}
    meant = {"tiers": [lamina.Tier.PERSISTENT], "typologies": [lamina.Typology.PROCEDURAL]}
    for more in ({}, {"include_retired": True}, {"since": LATER - timedelta(days=30_000)}):
        found, wanted = (scene.kyc.recall("concise", **how, **more) for how in (named, meant))
        assert [hit.record.id for hit in found] == [hit.record.id for hit in wanted] != []


def test_what_else_is_asked_amiss_is_named(scene: Scene) -> None:
    amiss: Any = scene.kyc
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: amiss.recall_many("puppy"), "texts are a str; give a list"),
        (lambda: amiss.recall_many(None), "texts are a NoneType"),
        (lambda: amiss.inject("", 0), "query has nothing visible"),
        (lambda: amiss.inject("gate", 2.5), "token budget is 2.5; give a whole number"),
        (lambda: amiss.inject("gate", 1_000_001), "token budget is 1,000,001; give a number from 0 to 1,000,000"),
        (lambda: amiss.inject("gate", session_id="x"), "session_id is a str; give a UUID"),
        (lambda: amiss.session("x"), "session_id is a str; give a UUID"),
        (lambda: amiss.as_of(known_at=datetime(2026, 1, 1)), "known_at .* has no time zone"),
        (lambda: amiss.as_of(known_at="2026"), "known_at is a str"),
    ]
    for asked, says in cases:
        with pytest.raises(lamina.LaminaError, match=says):
            asked()


@pytest.mark.parametrize("verb", ["prefer", "propose"])
def test_a_claim_with_an_empty_aspect_cannot_be_said(scene: Scene, verb: str) -> None:
    before = scene.everything()
    say: Any = getattr(scene.open, verb)
    for empty in ("", " ", "\u200b"):
        with pytest.raises(lamina.LaminaError, match="claim aspect has nothing visible in it; give it at least one"):
            say("The gate wants citations", claim=lamina.Claim("gate", empty, "citations"))
    assert scene.everything() == before
