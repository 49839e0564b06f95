from datetime import datetime, timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from lamina.domain.policies.decay import DecayExempt, DecayModel, ForcingFunction, Standing, ValidityWindow
from lamina.testing.spec_strategies import decays
from lamina.testing.strategies import durations, instants

standings = st.builds(Standing, instants(), st.none() | instants(), st.booleans())


@given(decays, standings, instants())
def test_every_weight_is_finite_and_not_negative(model: DecayModel, standing: Standing, now: datetime) -> None:
    assert 0 <= model.weight(standing, now) < float("inf")


@given(instants(), durations(), durations())
def test_the_forcing_function_presses_harder_with_age(recorded: datetime, age: timedelta, more: timedelta) -> None:
    model, standing = ForcingFunction(), Standing(recorded)
    young, old = model.weight(standing, recorded + age), model.weight(standing, recorded + age + more)
    assert 1 <= young <= old <= model.ceiling
    assert model.weight(standing, recorded) == 1


@given(instants(), durations())
def test_the_forcing_function_lets_go_of_what_is_disposed_of(recorded: datetime, age: timedelta) -> None:
    assert ForcingFunction().weight(Standing(recorded, disposed=True), recorded + age) == 1


def test_the_forcing_function_goes_half_of_the_way_in_its_period() -> None:
    model = ForcingFunction(half_way=timedelta(days=10), ceiling=3)
    recorded = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
    assert model.weight(Standing(recorded), recorded + timedelta(days=10)) == 2
    assert model.weight(Standing(recorded), recorded + timedelta(days=20)) == 2.5


@given(standings, instants(), durations())
def test_confidence_falls_with_time_and_never_rises(standing: Standing, now: datetime, more: timedelta) -> None:
    model = ValidityWindow()
    assert model.weight(standing, now + more) <= model.weight(standing, now) <= 1


@given(standings, instants(), instants())
def test_a_confirmation_never_lowers_confidence(standing: Standing, confirmed: datetime, now: datetime) -> None:
    assume(standing.confirmed_at is None or confirmed >= standing.confirmed_at)
    again = Standing(standing.recorded_at, confirmed, standing.disposed)
    assert ValidityWindow().weight(again, now) >= ValidityWindow().weight(standing, now)


def test_confidence_halves_with_every_half_life_since_the_last_confirmation() -> None:
    model = ValidityWindow(half_life=timedelta(days=30))
    recorded = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
    now = recorded + timedelta(days=60)
    assert model.weight(Standing(recorded), now) == 0.25
    assert model.weight(Standing(recorded, confirmed_at=recorded + timedelta(days=30)), now) == 0.5
    assert model.weight(Standing(recorded, confirmed_at=recorded - timedelta(days=30)), now) == 0.25


@given(standings, instants())
def test_time_does_nothing_to_what_is_exempt(standing: Standing, now: datetime) -> None:
    assert DecayExempt().weight(standing, now) == 1
