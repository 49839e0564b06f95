"""Random histories of all verbs, on several stores at once, beside a model that is nothing but dictionaries.

    class Mine(VerbMachine):
        spec = WORLD_AGENT
        def open_sides(self, clock: TurnedClock) -> list[Side]: ...

What each verb says is planned first, is the same on each store, and is the model's; after every step all that each
store has is what the model has, and an audit finds every promise kept.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize

from lamina.testing.verbs.doubting import Doubting
from lamina.testing.verbs.looking_back import LookingBack
from lamina.testing.verbs.retiring import Retiring
from lamina.testing.verbs.sitting import OBSERVED, Observed, SittingDown
from lamina.testing.verbs.stating import Stating
from lamina.testing.verbs.vocabulary import PICKS, SPOKEN, STATEMENTS, Spoken, Statement

Proposed = tuple[Statement, list[int]]


class VerbMachine(SittingDown, Stating, Doubting, Retiring, LookingBack):
    """Every verb, in a memory in which something is there already."""

    @initialize(
        seen=st.lists(OBSERVED, min_size=2, max_size=2),
        preferred=st.lists(STATEMENTS, min_size=1, max_size=3),
        proposed=st.lists(st.tuples(STATEMENTS, st.lists(PICKS, min_size=1, max_size=3)), min_size=1, max_size=3),
        spoken=st.lists(st.tuples(PICKS, SPOKEN), max_size=4),
    )
    def furnish(
        self,
        seen: list[Observed],
        preferred: list[Statement],
        proposed: list[Proposed],
        spoken: list[tuple[int, Spoken]],
    ) -> None:
        """Two sessions that saw something, some preferences and some facts, and who spoke for them."""
        self.begin()
        for observed in seen:
            self.sit_down(0, 1)
            self.observe(0, observed)
        for one in preferred:
            self.prefer(0, one, None)
        # The oldest and the newest were seen in two sessions: enough for a fact, if they were taken.
        oldest = len(self.places[0].rows) - 1 - len(preferred)
        for one, because in proposed:
            self.propose(0, one, [0, max(oldest, 0)] if because[0] % 2 else because)
        for pick, by in spoken:
            self.corroborate(0, pick, by)
