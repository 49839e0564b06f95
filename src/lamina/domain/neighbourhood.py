"""Neighbourhood (P5): a short utterance shares in what was said next to it; a long text stands for itself."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import exp
from typing import Final, TypeVar
from uuid import UUID

from lamina.domain.outline import Outline

K = TypeVar("K", bound=Hashable)
REACH: Final = 2
"""How many positions away in its session a neighbour may stand: what was asked, and what was answered."""
FADING: Final = 0.5
"""What each further position takes off."""
LONG: Final = 600
"""Characters after which a text borrows about a third of what a word would: a paragraph says what it is about."""


def share(characters: int) -> float:
    """How much a text of this length borrows, from 1 for none towards 0 for a long one."""
    return exp(-characters / LONG)


def borrowed(outlines: Mapping[K, Outline], evidence: Mapping[K, float]) -> dict[K, float]:
    """For each record what its neighbours lend it, if any have evidence. Nobody lends to itself or to its own copy."""
    lending = _by_place(outlines, evidence)
    scores = {}
    for key, one in outlines.items() if lending else ():
        lent = _lent(lending.get(one.session), one.position)
        if lent > 0:
            scores[key] = share(one.characters) * lent
    return scores


def _by_place(outlines: Mapping[K, Outline], evidence: Mapping[K, float]) -> dict[UUID | None, dict[int, float]]:
    """The evidence at each position of a session. A record and its copy stand at one, and count once."""
    places: dict[UUID | None, dict[int, float]] = {}
    for key, said in evidence.items():
        one = outlines[key]
        if one.session and said > 0:
            session = places.setdefault(one.session, {})
            session[one.position] = max(said, session.get(one.position, 0.0))
    return places


def _lent(session: Mapping[int, float] | None, position: int) -> float:
    if not session:
        return 0.0
    lent, weight = 0.0, 1.0
    for distance in range(1, REACH + 1):
        lent += weight * (session.get(position - distance, 0.0) + session.get(position + distance, 0.0))
        weight *= FADING
    return lent
