"""Neighbourhood (P5): a short utterance shares in what was said next to it; a long text stands for itself.

What a text ends by asking, the next one answers: it lends that part of its evidence on, and not back.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from lamina.domain.fusion import Said
from lamina.domain.outline import NOWHERE, Column, Outlines

REACH: Final = 2
"""How many positions away in its session a neighbour may stand: what was asked, and what was answered."""
FADING: Final = 0.5
"""What each further position takes off."""
LONG: Final = 600
"""Characters after which a text borrows about a third of what a word would: a paragraph says what it is about."""
_AWAY: Final = np.array([[away] for away in range(REACH, -REACH - 1, -1) if away])
"""How far on each lends. Who stands first lends first: a sum's last bit depends on its order."""
_ON: Final = np.sign(_AWAY)
_SHARE: Final = FADING ** (abs(_AWAY) - 1)


def closing(body: str) -> int:
    """How many characters at its end are a question: all behind its last full stop or exclamation mark."""
    if not body.rstrip(" \n").endswith("?"):
        return 0
    return len(body) - 1 - max(body.rfind("."), body.rfind("!"))


def asking(outlines: Outlines) -> Column:
    """The share of each text that asks, and does not tell."""
    share: Column = outlines.asking / np.maximum(outlines.characters, 1)
    return share


def borrowed(outlines: Outlines, evidence: Column, asking: Column) -> Said:
    """For each record what its neighbours lend it, if any have evidence. Nobody lends to itself or to its own copy.

    The evidence, and the share of each that asks, stand in the order of the outlines.
    """
    spots = outlines.spots
    stands = spots != NOWHERE
    (lenders,) = ((evidence > 0) & stands).nonzero()
    if not len(lenders):
        return Said((), ())
    # A record and its copy stand at one spot, and count once: of those at one, the best comes last.
    lenders = lenders[np.lexsort((asking[lenders], evidence[lenders], spots[lenders]))]
    wanted = spots - _AWAY
    # The last that is not behind it; where there is none, the last of all, which stands elsewhere.
    who = lenders[spots[lenders].searchsorted(wanted, side="right") - 1]
    lending = _SHARE * evidence[who] * (1 + _ON * asking[who]) * (spots[who] == wanted)
    lent = lending.sum(axis=0) * stands
    (places,) = lent.nonzero()
    return Said(places, np.exp(outlines.characters[places] / -LONG) * lent[places])
