"""Neighbourhood (P5): a short utterance shares in what was said next to it; a long text stands for itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Final

from lamina.domain.outline import Outline

REACH: Final = 2
"""How many positions away in its session a neighbour may stand: what was asked, and what was answered."""
FADING: Final = 0.5
"""What each further position takes off."""
LONG: Final = 600
"""Characters after which a text borrows about a third of what a word would: a paragraph says what it is about."""


def share(characters: int) -> float:
    """How much a text of this length borrows, from 1 for none towards 0 for a long one."""
    return exp(-characters / LONG)


def borrowed(outlines: Sequence[Outline], evidence: Mapping[int, float]) -> dict[int, float]:
    """For each record what its neighbours lend it, if any have evidence. Nobody lends to itself or to its own copy.

    A record is known by its place among the outlines.
    """
    sessions = _sessions(outlines, evidence)
    scores = {}
    for place, one in enumerate(outlines) if sessions else ():
        session = sessions.get(one.session)
        lent = _lent(session, one.position) if session else 0.0
        if lent > 0:
            scores[place] = share(one.characters) * lent
    return scores


def _sessions(outlines: Sequence[Outline], evidence: Mapping[int, float]) -> dict[int | None, dict[int, float]]:
    """The evidence at each position of a session. A record and its copy stand at one, and count once."""
    sessions: dict[int | None, dict[int, float]] = {}
    for place, said in evidence.items():
        one = outlines[place]
        if one.session is not None and said > 0:
            session = sessions.setdefault(one.session, {})
            session[one.position] = max(said, session.get(one.position, 0.0))
    return sessions


def _lent(session: Mapping[int, float], position: int) -> float:
    lent, weight = 0.0, 1.0
    for distance in range(1, REACH + 1):
        lent += weight * (session.get(position - distance, 0.0) + session.get(position + distance, 0.0))
        weight *= FADING
    return lent
