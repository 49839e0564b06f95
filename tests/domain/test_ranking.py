from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.agents import ASSISTANT_AGENT, WORLD_AGENT
from lamina.domain.decaying import Decaying
from lamina.domain.frozen import FrozenMap
from lamina.domain.fusion import ReciprocalRank, WeightedScore
from lamina.domain.outline import Outline
from lamina.domain.ranking import Ranking
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.scope import PersistentScope
from lamina.domain.signals import Signal
from lamina.domain.state import Active, Exempted, State
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity
from lamina.testing.samples import DAY, START, anchor, outline_of, record

MODEL = ASSISTANT_AGENT.retrieval
scores = st.dictionaries(st.integers(0, 5), st.floats(0, 1), max_size=6)
OUTLINES = [outline_of(record(f"{n}", validity=Validity(START + n * DAY))) for n in range(6)]


def untouched(_: Outline) -> float:
    return 1.0


@given(scores, scores, st.integers(1, 9), st.sampled_from([ReciprocalRank(), WeightedScore()]))
def test_as_many_come_back_as_there_are_and_best_first(
    lexical: dict[int, float], semantic: dict[int, float], limit: int, scoring: ReciprocalRank | WeightedScore
) -> None:
    model = RetrievalModel(**{**dict(MODEL), "scoring": scoring})
    found = {Signal.LEXICAL: lexical, Signal.SEMANTIC: semantic}
    best = Ranking(found, OUTLINES, model, untouched).best(limit)
    assert len(best) == min(limit, len(OUTLINES))
    assert [one.score for one in best] == sorted((one.score for one in best), reverse=True)
    for one in best:
        assert abs(sum(said.added for said in one.why.values()) - one.score) < 1e-9


def test_a_spec_hears_only_its_own_signals() -> None:
    model = RetrievalModel(
        signals=FrozenMap({Signal.LEXICAL: 1.0}), tiers=FrozenMap({Tier.PERSISTENT: 1.0}), because="words only"
    )
    found = {Signal.LEXICAL: {0: 1.0}, Signal.SEMANTIC: {5: 1.0}}
    first, second, *_ = Ranking(found, OUTLINES, model, lambda _: 5.0).best(6)
    assert (first.place, set(first.why)) == (0, {Signal.LEXICAL})
    assert first.score == ReciprocalRank().most, "time does not press where it is not heard"
    assert (second.place, second.score) == (5, 0.0), "what nobody speaks of comes last, the newest first"


def test_a_tier_weighs_what_the_spec_says() -> None:
    tiers = FrozenMap({Tier.PERSISTENT: 0.5, Tier.SESSION: 1.0})
    model = RetrievalModel(**{**dict(MODEL), "tiers": tiers})
    transient = OUTLINES[0]._replace(tier=Tier.SESSION)
    found = {Signal.LEXICAL: {0: 1.0, 1: 1.0}}
    first, second = Ranking(found, [transient, OUTLINES[0]], model, untouched).best(2)
    assert first.outline.tier is Tier.SESSION
    assert first.score == 2 * second.score


def test_the_newer_of_equals_comes_first() -> None:
    found = {Signal.LEXICAL: {0: 1.0, 5: 1.0}}
    assert [one.place for one in Ranking(found, OUTLINES, MODEL, untouched).best(2)] == [5, 0]


NOW = START + timedelta(days=180)


def weight(typology: Typology, state: State | None = None, confirmed_at: datetime | None = None) -> float:
    one = record("a", typology=typology, scope=PersistentScope(anchor()), state=state or Active())
    return Decaying(ASSISTANT_AGENT, NOW).weight(outline_of(one, confirmed_at=confirmed_at))


def test_time_does_what_the_cell_says() -> None:
    """P7: episodes press for an outcome, facts fade until they are confirmed again, preferences stay."""
    assert weight(Typology.EPISODIC) > 1.9
    assert weight(Typology.EPISODIC, state=Exempted(START, "kept")) == 1.0
    assert weight(Typology.SEMANTIC) == 0.5
    assert weight(Typology.SEMANTIC, confirmed_at=NOW) == 1.0
    assert weight(Typology.SEMANTIC, confirmed_at=NOW + DAY) == 0.5, "nobody had confirmed it by then"
    assert weight(Typology.PROCEDURAL) == 1.0


def test_a_deviation_is_kept_to() -> None:
    old = outline_of(record("a", typology=Typology.SEMANTIC))
    assert Decaying(WORLD_AGENT, NOW).weight(old) > 1.9
