import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.fuzz import token_set_ratio

from lamina.domain.errors import NotAName, NotANumber, OutOfRange
from lamina.domain.events import EventKind, EventVisibility, Persona, collection_name
from lamina.domain.frozen import FrozenMap
from lamina.domain.stm import Identity, stm_score

KIND, VISIBILITY = EventKind.ACTOR_OUTPUT, EventVisibility.PUBLIC
positive = st.floats(0, 10)
identities = st.builds(
    Identity,
    recency_half_life_seconds=st.floats(1, 1e6),
    kind_boosts=st.dictionaries(st.sampled_from(EventKind), positive).map(FrozenMap),
    visibility_boosts=st.dictionaries(st.sampled_from(EventVisibility), positive).map(FrozenMap),
    w_similarity=positive,
    w_recency=positive,
)


@given(st.floats(0, 100), st.floats(0, 1e7), st.sampled_from(EventKind), st.sampled_from(EventVisibility), identities)
def test_the_formula(ratio: float, age: float, kind: EventKind, visibility: EventVisibility, who: Identity) -> None:
    similarity = ratio / 100.0
    recency = math.exp(-math.log(2) * age / who.recency_half_life_seconds)
    boost = dict(who.kind_boosts).get(kind, 1.0) * dict(who.visibility_boosts).get(visibility, 1.0)
    expected = (who.w_similarity * similarity + who.w_recency * recency) * boost
    assert stm_score(ratio, age, kind, visibility, who) == expected


def test_a_summary_half_a_life_old() -> None:
    identity = Identity(recency_half_life_seconds=60, w_similarity=1, w_recency=1)
    ratio = token_set_ratio("tighten the threshold", "the threshold was tightened")
    assert stm_score(ratio, 60, KIND, VISIBILITY, identity) == ratio / 100 + 0.5


def test_a_clock_that_went_backwards() -> None:
    assert stm_score(50, -5, KIND, VISIBILITY, Identity()) == stm_score(50, 0, KIND, VISIBILITY, Identity())


def test_bad_scores() -> None:
    with pytest.raises(OutOfRange, match="token_set_ratio is 101"):
        stm_score(101, 0, KIND, VISIBILITY, Identity())
    with pytest.raises(NotANumber, match="age_seconds is nan"):
        stm_score(50, math.nan, KIND, VISIBILITY, Identity())


def test_collections_are_named_by_agent_and_persona() -> None:
    assert collection_name("atlas", Persona.ACTOR) == "atlas__actor__ltm"
    assert collection_name("atlas", Persona.SUBCONSCIOUS) == "atlas__subconscious__ltm"


@pytest.mark.parametrize("agent_id", ["", "a__b", "__", "a b", "a/b", "a\0", "atlas__actor", "é", "x" * 101, "-a"])
def test_an_agent_id_cannot_reach_into_another_collection(agent_id: str) -> None:
    with pytest.raises(NotAName, match="cannot name a collection"):
        collection_name(agent_id, Persona.ACTOR)


@given(st.text(max_size=20), st.text(max_size=20), st.sampled_from(Persona), st.sampled_from(Persona))
def test_no_two_collections_have_one_name(one: str, other: str, persona: Persona, another: Persona) -> None:
    try:
        names = collection_name(one, persona), collection_name(other, another)
    except NotAName:
        return
    assert (names[0] == names[1]) == ((one, persona) == (other, another))
