"""Neighbourhood (P5): a short utterance shares in what was said next to it; a long text stands for itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp
from typing import Final

from lamina.domain.fusion import Said
from lamina.domain.outline import NOWHERE, Outlines

REACH: Final = 2
"""How many positions away in its session a neighbour may stand: what was asked, and what was answered."""
FADING: Final = 0.5
"""What each further position takes off."""
LONG: Final = 600
"""Characters after which a text borrows about a third of what a word would: a paragraph says what it is about."""
_LENDING: Final = [(distance, FADING ** (abs(distance) - 1)) for distance in range(-REACH, REACH + 1) if distance]


def borrowed(outlines: Outlines, evidence: Sequence[float]) -> Said:
    """For each record what its neighbours lend it, if any have evidence. Nobody lends to itself or to its own copy.

    The evidence stands in the order of the outlines.
    """
    lent = _lent(_standing(outlines, evidence))
    lent.pop(NOWHERE, None)
    places = [place for place, spot in enumerate(outlines.spots) if spot in lent]
    spots, characters = outlines.spots, outlines.characters
    return Said(places, [exp(characters[place] / -LONG) * lent[spots[place]] for place in places])


def _standing(outlines: Outlines, evidence: Sequence[float]) -> dict[int, float]:
    """The evidence at each spot. A record and its copy stand at one, and count once."""
    standing: dict[int, float] = {}
    for spot, said in zip(outlines.spots, evidence, strict=True):
        if said > 0 and spot != NOWHERE and said > standing.get(spot, 0.0):
            standing[spot] = said
    return standing


def _lent(standing: Mapping[int, float]) -> dict[int, float]:
    """What comes together at each spot, added up in the order of the spots: a sum's last bit depends on its order."""
    lent: dict[int, float] = defaultdict(float)
    for spot in sorted(standing):
        said = standing[spot]
        for distance, weight in _LENDING:
            lent[spot + distance] += weight * said
    return lent
