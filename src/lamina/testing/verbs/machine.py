"""Random histories of all verbs, on several stores at once, beside a model that is nothing but dictionaries.

    class Mine(VerbMachine):
        spec = WORLD_AGENT
        def open_sides(self, clock: TurnedClock) -> list[Side]: ...

What each verb says is planned first, is the same on each store, and is the model's; after every step all that each
store has is what the model has, and an audit finds every promise kept.
"""

from __future__ import annotations

from lamina.testing.verbs.saying import Saying
from lamina.testing.verbs.sitting import SittingDown


class VerbMachine(SittingDown, Saying):
    """Every verb."""
