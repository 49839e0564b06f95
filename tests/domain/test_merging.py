import pytest
from hypothesis import given

from lamina.domain.merging import lost_in
from lamina.testing.strategies import texts


@pytest.mark.parametrize(
    ("merged", "lost"),
    [
        ("The gate of Armenia wants 2 citations, and never a signature", None),
        ("the gate of armenia wants 2 citations, never a signature", None),
        ("The gate of Argentina wants 2 citations, and never a signature", "Armenia"),
        ("The gate of Armenia wants 3 citations, and never a signature", "2"),
        ("The gate of Armenia wants 2 citations and a signature", "never"),
    ],
)
def test_a_name_a_number_and_a_negation_must_not_be_lost(merged: str, lost: str | None) -> None:
    sources = ["The gate of Armenia wants 2 citations", "The gate never wants a signature"]
    assert lost_in(merged, sources) == lost


def test_a_contraction_is_a_negation() -> None:
    assert lost_in("The gate takes them", ["The gate doesn’t take them"]) == "doesn’t"
    assert lost_in("The gate does not take them", ["The gate doesn't take them"]) is None


@given(texts(80), texts(80))
def test_what_has_everything_has_lost_nothing(one: str, other: str) -> None:
    assert lost_in(f"{one} {other}", [one, other]) is None
