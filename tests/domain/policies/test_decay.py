from datetime import datetime, timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from lamina.domain.policies.decay import DecayExempt, DecayModel, ForcingFunction, Standing, ValidityWindow
from lamina.testing.spec_strategies import decays
from lamina.testing.strategies import durations, instants

NOW = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
standings = st.builds(Standing, durations(), st.none() | durations(), st.booleans())


@given(decays, standings)
def test_every_weight_is_finite_and_not_negative(model: DecayModel, standing: Standing) -> None:
    assert 0 <= model.weight(standing, NOW) < float("inf")


@given(instants(), instants(), instants(), st.booleans())
def test_a_clock_that_went_backwards_makes_nothing_younger_than_new(
    now: datetime, recorded: datetime, confirmed: datetime, disposed: bool
) -> None:
    standing = Standing.at(now, recorded, confirmed, disposed=disposed)
    assert standing == (max(now - recorded, timedelta()), max(now - confirmed, timedelta()), disposed)


@given(durations(), durations())
def test_the_forcing_function_presses_harder_with_age(age: timedelta, more: timedelta) -> None:
    model = ForcingFunction()
    young, old = model.weight(Standing(age), NOW), model.weight(Standing(age + more), NOW)
    assert 1 <= young <= old <= model.ceiling
    assert model.weight(Standing(timedelta()), NOW) == 1


@given(durations())
def test_the_forcing_function_lets_go_of_what_is_disposed_of(age: timedelta) -> None:
    assert ForcingFunction().weight(Standing(age, disposed=True), NOW) == 1


def test_the_forcing_function_goes_half_of_the_way_in_its_period() -> None:
    model = ForcingFunction(half_way=timedelta(days=10), ceiling=3)
    assert model.weight(Standing(timedelta(days=10)), NOW) == 2
    assert model.weight(Standing(timedelta(days=20)), NOW) == 2.5


@given(standings, durations())
def test_confidence_falls_with_time_and_never_rises(standing: Standing, more: timedelta) -> None:
    model = ValidityWindow()
    confirmed = None if standing.confirmed is None else standing.confirmed + more
    later = Standing(standing.age + more, confirmed, standing.disposed)
    assert model.weight(later, NOW) <= model.weight(standing, NOW) <= 1


@given(standings, durations())
def test_a_confirmation_never_lowers_confidence(standing: Standing, confirmed: timedelta) -> None:
    assume(standing.confirmed is None or confirmed <= standing.confirmed)
    again = standing._replace(confirmed=confirmed)
    assert ValidityWindow().weight(again, NOW) >= ValidityWindow().weight(standing, NOW)


def test_confidence_halves_with_every_half_life_since_the_last_confirmation() -> None:
    model = ValidityWindow(half_life=timedelta(days=30))
    assert model.weight(Standing(timedelta(days=60)), NOW) == 0.25
    assert model.weight(Standing(timedelta(days=60), confirmed=timedelta(days=30)), NOW) == 0.5
    assert model.weight(Standing(timedelta(days=60), confirmed=timedelta(days=90)), NOW) == 0.25


@given(standings)
def test_time_does_nothing_to_what_is_exempt(standing: Standing) -> None:
    assert DecayExempt().weight(standing, NOW) == 1
