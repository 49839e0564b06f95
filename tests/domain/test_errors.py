"""The tree at the top of the file is the tree of the classes."""

import pickle
import re

import pytest

from lamina.domain import errors
from lamina.domain.errors import BlankText, LaminaError, Mistake, SpecError


def _drawn() -> dict[str, str]:
    """Each class of the drawing with its parent."""
    parents: dict[str, str] = {}
    path: dict[int, str] = {0: "LaminaError"}
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"([│├└─ ]+)(\w+)  ", line)
        if match:
            depth = len(match[1]) // 4
            path[depth] = match[2]
            parents[match[2]] = path[depth - 1]
    return parents


def _defined(base: type[LaminaError] = LaminaError) -> dict[str, str]:
    tree: dict[str, str] = {}
    for child in base.__subclasses__():
        tree |= {child.__name__: base.__name__} | _defined(child)
    return tree


def test_the_drawing_is_the_tree() -> None:
    assert _drawn() == _defined()


def test_an_error_says_what_happened_to_which_thing_and_what_to_do() -> None:
    assert str(BlankText("body", "has nothing visible in it", "write something")) == (
        "body has nothing visible in it; write something"
    )


@pytest.mark.parametrize(
    "error", [BlankText("a", "b", "c"), SpecError("s", (Mistake("decay", "decay.semantic", "is wrong", "mend it"),))]
)
def test_errors_cross_process_boundaries(error: LaminaError) -> None:
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
