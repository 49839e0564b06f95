"""Recall as a user asks it, on each back end: every signal, every way to narrow, and what is asked badly."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from tests.application.conftest import EMBEDDER

import lamina
from lamina.application import query
from lamina.domain.errors import BlankText, NaiveTime, OutOfRange, SettingsError, TextTooLong, UnknownKey, WrongType
from lamina.domain.signals import Signal
from lamina.domain.state import Archived

if TYPE_CHECKING:
    from tests.application.conftest import Urls

SPRING = datetime(2026, 4, 1, tzinfo=UTC)
TALK = [
    ("Ann", "I finally adopted a puppy from the shelter"),
    ("Bob", "What is it called?"),
    ("Ann", "Biscuit"),
    ("Bob", "I have been gardening, the tomatoes are huge"),
    ("Ann", "Lovely"),
]


def talked(ann: lamina.AnchoredMemory) -> None:
    with ann.session() as session:
        session.observe_many(
            [
                lamina.Observation(text, {"speaker": who}, at=SPRING + timedelta(minutes=minute))
                for minute, (who, text) in enumerate(TALK)
            ]
        )


def bodies(hits: list[lamina.Hit]) -> list[str]:
    return [hit.record.body for hit in hits]


def test_a_short_answer_is_found_by_what_was_said_next_to_it(ann: lamina.AnchoredMemory) -> None:
    talked(ann)
    hits = ann.recall("What is the name of the puppy from the shelter?", 3)
    assert "Biscuit" in bodies(hits)
    said = next(hit for hit in hits if hit.record.body == "Biscuit").why
    assert said[Signal.NEIGHBOURHOOD].added > 0
    assert Signal.LEXICAL not in said


def test_a_short_text_is_found_by_its_own_words(ann: lamina.AnchoredMemory) -> None:
    """However little it says: a long one that says something else does not come before it. Only what asks is followed
    to what answers."""
    talked(ann)
    for _, text in TALK:
        assert bodies(ann.recall(text, 1)) == (["Biscuit"] if text == "What is it called?" else [text])


PARTS = ["The gate?", "The gate in Lisbon wants two citations from the puppy shelter.", "Lisbon, I see."]
ASIDE = ["We sat by the river.", "A letter came from the doctor.", "The window needs paint before the winter."]


@pytest.mark.parametrize("spec", [lamina.WORLD_AGENT, lamina.CHAOS_AGENT, lamina.ASSISTANT_AGENT], ids=lambda s: s.name)
def test_who_says_all_comes_before_whoever_stands_beside_it(urls: Urls, spec: lamina.AgentMemorySpec) -> None:
    keys = dict.fromkeys(spec.persistent_anchor.names, "x")
    with lamina.open(urls(spec), spec=spec, embedder=EMBEDDER) as memory:
        user = memory.at(**keys)
        sessions = [user.session() for _ in range(4)]
        for number, session in enumerate(sessions):
            for text in [f"{aside} Day {number}." for aside in ASIDE] + (PARTS if number == 3 else []):
                session.observe(text)
        hits = user.recall("Which gate in Lisbon wants citations from the puppy shelter?", 3)
        assert hits[0].record.body == PARTS[1]


def test_a_smaller_limit_finds_the_first_of_a_larger_one(ann: lamina.AnchoredMemory) -> None:
    with ann.session() as session:
        session.observe_many(
            [lamina.Observation(f"remark {n} of the gate {'and the puppy' * (n % 3)}") for n in range(70)]
        )
    ten = bodies(ann.recall("the gate and the puppy", 10))
    for limit in range(1, 10):
        assert bodies(ann.recall("the gate and the puppy", limit)) == ten[:limit]


def test_a_name_in_the_query_is_a_label(ann: lamina.AnchoredMemory) -> None:
    """Nobody says "Bob" in the text; the speaker's tag says it."""
    talked(ann)
    first = ann.recall("what has bob been gardening?")[0]
    assert first.record.body.startswith("I have been gardening")
    assert first.why[Signal.TAGS].score == pytest.approx(2 * 3 / 5), "twice the share that it rules out"
    assert all(Signal.TAGS not in hit.why for hit in ann.recall("what was gardened?"))
    assert set(bodies(ann.recall("Bob!", 2))) == {text for who, text in TALK if who == "Bob"}


def test_tags_that_are_given_are_what_is_meant(ann: lamina.AnchoredMemory) -> None:
    talked(ann)
    hits = ann.recall("what did bob say?", tags={"speaker": "Ann"})
    assert {hit.record.tags["speaker"] for hit in hits if Signal.TAGS in hit.why} == {"Ann"}
    assert ann.recall("gardening", tags={"no such key": "x"})[0].record.body.startswith("I have been gardening")


@pytest.mark.parametrize("limit", [1, 10, 19])
def test_what_has_the_given_tags_comes_up_from_however_far_behind(ann: lamina.AnchoredMemory, limit: int) -> None:
    told = "Carmen fired kiln number {} with oak wood and it went well"
    with ann.session() as session:
        session.observe_many([lamina.Observation(told.format(n), {"job": str(n)}) for n in range(60)])
    first = ann.recall("how was the kiln fired?", limit, tags={"job": "7"})[0]
    assert first.record.tags["job"] == "7"
    assert {Signal.TAGS, Signal.LEXICAL} <= first.why.keys()


def test_every_hit_explains_itself(ann: lamina.AnchoredMemory) -> None:
    talked(ann)
    for hit in ann.recall("Ann's puppy"):
        signals = sum(said.added for said in hit.why.values())
        assert hit.score == pytest.approx(signals * hit.decay)
        assert hit.validity == hit.record.validity
        assert hit.origin == hit.record.origin
        for part in ("score", "decay", "confirmed 0 times", "persistent episodic", "observed in session", "2026-04-01"):
            assert part in hit.explain()


def test_as_many_as_there_are(ann: lamina.AnchoredMemory) -> None:
    talked(ann)
    for limit in (1, 3, 5, 9):
        for text in ("puppy", "xyzzy", "🐶", "what"):
            assert len(ann.recall(text, limit)) == min(limit, len(TALK))


def test_many_questions_at_once_are_answered_as_one_by_one(ann: lamina.AnchoredMemory) -> None:
    talked(ann)
    texts = ["puppy", "what has Bob been gardening?", "the", "Biscuit", "🐶"]
    together = ann.recall_many(texts, 3, since=SPRING)
    for text, hits in zip(texts, together, strict=True):
        alone = ann.recall(text, 3, since=SPRING)
        assert [hit.record.id for hit in alone] == [hit.record.id for hit in hits]
        assert [hit.score for hit in alone] == pytest.approx([hit.score for hit in hits])
    assert ann.recall_many([]) == []


def test_what_is_asked_for_is_kept_to(ann: lamina.AnchoredMemory) -> None:
    talked(ann)
    ann.prefer("Short answers, please")
    middle = SPRING + timedelta(minutes=2)
    assert len(ann.recall("puppy", since=middle, until=SPRING + timedelta(days=1))) == 3
    assert bodies(ann.recall("puppy", typologies=[lamina.Typology.PROCEDURAL])) == ["Short answers, please"]
    assert ann.recall("puppy", tiers=[lamina.Tier.SESSION]) == []
    gone = ann.recall("puppy")[0].record
    ann.archive(gone.id, reason="stale")
    assert gone.id not in [hit.record.id for hit in ann.recall("puppy")]
    (hit,) = [hit for hit in ann.recall("puppy", include_retired=True) if hit.record.id == gone.id]
    assert isinstance(hit.record.state, Archived)
    assert hit.explain().endswith(f"; archived on {hit.record.state.at:%Y-%m-%d}: stale")
    assert "archived" not in ann.recall("puppy")[0].explain()


def test_what_is_of_the_last_day_there_is_explains_itself_too(ann: lamina.AnchoredMemory) -> None:
    with ann.session() as session:
        session.observe("the puppy will be here for ever", at=datetime.max.replace(tzinfo=UTC)).require()
    (hit,) = ann.recall("puppy")
    assert "time: rank 1, score 9999-12-31" in hit.explain()
    assert "on 9999-12-31" in ann.inject("puppy", 400).text


def test_a_fact_that_was_confirmed_says_so_and_weighs_more(kyc: lamina.AnchoredMemory) -> None:
    with kyc.session() as session:
        seen = session.observe("a proposal without citations was refused")
        held = session.propose(
            "The gate wants citations", claim=lamina.Claim("gate", "wants", "citations"), because=[seen.id]
        )
    kyc.corroborate(held.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4()))
    (hit,) = kyc.recall("what does the gate want?", typologies=[lamina.Typology.SEMANTIC])
    assert hit.confirmations == 2
    assert hit.confirmed_at is not None
    assert "confirmed 2 times, last on" in hit.explain()


@pytest.mark.parametrize(
    "text",
    [
        "the of and",
        "数据 和 記憶",
        "أين الكلب؟",
        "🐶🐶🐶",
        "'; DROP TABLE assistant_memory; --",
        "puppy & (shelter | !bob) <-> 'x':*",
        "%s %(x)s {} $1 :name \\ \x07",
        "word " * 19_999,
        "x" * 100_000,
        '["speaker", "Ann"]',
    ],
)
def test_whatever_is_asked_there_is_an_answer(ann: lamina.AnchoredMemory, text: str) -> None:
    talked(ann)
    assert len(ann.recall(text, 5)) == 5
    assert ann.inject(text, 500).manifest.tokens <= 500


def test_what_cannot_be_asked_is_named(ann: lamina.AnchoredMemory) -> None:
    for text, error in [("", BlankText), (" \t\u200b", BlankText), ("x" * 100_001, TextTooLong), (5, WrongType)]:
        with pytest.raises(error, match="query"):
            ann.recall(text)  # type: ignore[arg-type]
        with pytest.raises(error, match="query"):
            ann.inject(text)  # type: ignore[arg-type]
    for limit in (-1, 0, 10_001):
        with pytest.raises(OutOfRange, match="limit"):
            ann.recall("x", limit)
    with pytest.raises(NaiveTime, match="since"):
        ann.recall("x", since=datetime(2026, 1, 1))
    with pytest.raises(OutOfRange, match="known_at .* is in the future"):
        ann.as_of(known_at=datetime.now(UTC) + timedelta(days=1))
    with pytest.raises(NaiveTime, match="valid_at"):
        ann.as_of(valid_at=datetime(2026, 1, 1))
    with pytest.raises(OutOfRange, match="token budget"):
        ann.inject("x", -1)
    assert ann.as_of(valid_at=datetime.now(UTC) + timedelta(days=999)).recall("x") == []


def test_a_tier_that_the_spec_does_not_ask_is_named(urls: Urls) -> None:
    base = lamina.ASSISTANT_AGENT
    tiers = {lamina.Tier.PERSISTENT: 1.0}
    only = base.model_copy(update={"retrieval": type(base.retrieval)(**{**dict(base.retrieval), "tiers": tiers})})
    with lamina.open(urls(base), spec=only, embedder=EMBEDDER) as memory:
        ann = memory.at(user_id="ann")
        with ann.session() as session:
            session.observe("a passing remark")
            assert ann.recall("remark") == []
            with pytest.raises(UnknownKey, match="tier session is not one that this spec recalls from"):
                ann.recall("remark", tiers=[lamina.Tier.SESSION])


class Backwards:
    """The last is the best."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        assert query
        return [float(place) for place in range(len(texts))]


@pytest.fixture
def reranking() -> lamina.AgentMemorySpec:
    base = lamina.ASSISTANT_AGENT
    return base.model_copy(update={"retrieval": type(base.retrieval)(**{**dict(base.retrieval), "rerank_best": 3})})


def test_a_reranker_orders_the_best_anew(urls: Urls, reranking: lamina.AgentMemorySpec) -> None:
    url = urls(lamina.ASSISTANT_AGENT)
    with lamina.open(url, spec=reranking, embedder=EMBEDDER, reranker=Backwards()) as memory:
        ann = memory.at(user_id="ann")
        talked(ann)
        hits = ann.recall("puppy from the shelter", 5)
        assert [hit.reranked for hit in hits] == [2.0, 1.0, 0.0, None, None]
        assert hits[2].record.body.startswith("I finally adopted")
        assert [hit.reranked for hit in ann.recall("puppy from the shelter", 2)] == [2.0, 1.0]


class Saying:
    """Says this, whatever it reads."""

    def __init__(self, said: Any) -> None:
        self._said = said

    def scores(self, query: str, texts: Sequence[str]) -> Any:
        assert query
        assert texts
        return self._said


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([1.0], "reranker gave 1 scores for 3 texts; give one for each"),
        (["good", "better", "best"], "reranker gave what is no number: .*; give one for each text"),
        (None, "reranker gave what is no number: .*; give one for each text"),
        ([0.5, float("nan"), 0.1], "reranker's score of .*nan"),
    ],
)
def test_a_reranker_that_gives_no_numbers_is_named(
    urls: Urls, reranking: lamina.AgentMemorySpec, said: object, told: str
) -> None:
    url = urls(lamina.ASSISTANT_AGENT)
    with lamina.open(url, spec=reranking, embedder=EMBEDDER, reranker=Saying(said)) as memory:
        ann = memory.at(user_id="ann")
        talked(ann)
        with pytest.raises(lamina.LaminaError, match=told):
            ann.recall("puppy from the shelter", 5)


def test_of_a_very_long_query_the_first_pages_are_asked_for(ann: lamina.AnchoredMemory) -> None:
    talked(ann)
    others = " ".join(f"word{number}" for number in range(query.MOST_WORDS))

    def lexical(text: str) -> list[str]:
        return [hit.record.body for hit in ann.recall(text, 10) if Signal.LEXICAL in hit.why]

    assert lexical(f"shelter {others}") == lexical("shelter") != []
    assert lexical(f"{others} shelter") == []


def test_a_reranker_and_a_spec_that_do_not_know_of_each_other_are_named(reranking: lamina.AgentMemorySpec) -> None:
    with pytest.raises(SettingsError, match="there is no reranker"):
        lamina.open(":memory:", spec=reranking, embedder=EMBEDDER)
    with pytest.raises(SettingsError, match="is not used by the spec"):
        lamina.open(":memory:", embedder=EMBEDDER, reranker=Backwards())


def test_several_anchors_are_ranked_together(urls: Urls) -> None:
    """A session that two users call alike is not one."""
    session_id = uuid4()
    with lamina.open(urls(lamina.WORLD_AGENT), spec=lamina.WORLD_AGENT, embedder=EMBEDDER) as memory:
        for domain, text in (("kyc", "the gate wants citations"), ("aml", "nothing of the kind")):
            at = memory.at(org_id="acme", domain_id=domain)
            at.session(session_id).observe(text)
        memory.at(org_id="acme", domain_id="aml").session(session_id).observe("the next remark")
        across = memory.across(org_id="acme", domain_id="kyc")
        assert bodies(across.recall("citations")) == ["the gate wants citations"]
        assert across.as_of(known_at=SPRING - timedelta(days=9_000)).recall("citations") == []
