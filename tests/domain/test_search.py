from datetime import timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.bm25 import WordByWord
from lamina.domain.fusion import Said
from lamina.domain.outline import Outline, Outlines
from lamina.domain.search import Drawn, together
from lamina.domain.signals import Signal
from lamina.domain.validity import Validity
from lamina.testing.samples import START, outline_of, record


def drawn(outlines: list[Outline], scores: list[float]) -> Drawn:
    found = {Signal.TAGS: Said(np.arange(len(scores)), np.array(scores))}
    words = WordByWord(np.arange(len(outlines)), np.zeros(len(outlines), dtype=np.intp), np.ones(len(outlines)))
    return Drawn(Outlines.of(outlines), found, words)


def outline(number: int, day: int = 0) -> Outline:
    return outline_of(record(f"{number}", validity=Validity(START + timedelta(days=day))))


@given(st.permutations(range(8)), st.integers(1, 8))
def test_of_equals_the_same_are_taken_in_any_order(order: list[int], limit: int) -> None:
    outlines = [outline(number, day=number % 3) for number in range(8)]
    expected = sorted(outlines, key=lambda one: (-one.valid_at, one.id))[:limit]
    for split in (0, 3, 8):
        some = [outlines[place] for place in order]
        halves = [drawn(half, [0.5] * len(half)) for half in (some[:split], some[split:])]
        both = together(halves, limit)
        taken = [both.outlines.ids[int(place)] for place in both.found[Signal.TAGS].places]
        assert taken == [one.id for one in expected]


def test_what_is_drawn_of_several_stays_beside_its_own() -> None:
    both = together([drawn([outline(0), outline(1)], [1.0, 0.2]), drawn([outline(2)], [0.5])], 2)
    assert [(int(place), score) for place, score in zip(*both.found[Signal.TAGS], strict=True)] == [(0, 1.0), (2, 0.5)]
    assert both.words.places.tolist() == [0, 1, 2]
