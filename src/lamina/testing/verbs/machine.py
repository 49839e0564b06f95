"""Random histories of all verbs, on several stores at once, beside a model that is nothing but dictionaries.

    class Mine(VerbMachine):
        spec = WORLD_AGENT
        def open_sides(self, clock: TurnedClock) -> list[Side]: ...

What each verb says is planned first, is the same on each store, and is the model's; after every step all that each
store has is what the model has, and an audit finds every promise kept.
"""

from __future__ import annotations

from lamina.testing.verbs.doubting import Doubting
from lamina.testing.verbs.looking_back import LookingBack
from lamina.testing.verbs.retiring import Retiring
from lamina.testing.verbs.sitting import SittingDown
from lamina.testing.verbs.stating import Stating


class VerbMachine(SittingDown, Stating, Doubting, Retiring, LookingBack):
    """Every verb."""
