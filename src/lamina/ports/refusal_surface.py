"""Where refused copies are made known to whoever watches over the agent (D8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lamina.domain.anchor import Anchor
from lamina.domain.refusal import Refusal


class RefusalSurface(Protocol):
    """Told of each refusal of the reference-only gate. It never raises, and is never told what the text said."""

    def refused(self, verb: str, anchor: Anchor, refusals: Sequence[Refusal]) -> None:
        """These writes of one call were refused."""
        ...
