"""Where canonical texts are looked up that memory may refer to and never copy (P13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lamina.domain.anchor import Anchor
from lamina.domain.copying import CanonicalText
from lamina.domain.discipline import Canonical


class CanonicalSource(Protocol):
    """One category of canonical texts, as its owner keeps them. It is asked outside any transaction, for many texts.

    It finds what a text may be a copy of; whether it is one, the domain decides. So it may give too many, and must not
    leave out any that has nearly the same words as the text or stands in it as a whole.
    """

    @property
    def category(self) -> Canonical:
        """What of the non-mirror list it knows."""
        ...

    def near(self, anchor: Anchor, texts: Sequence[str]) -> Sequence[Sequence[CanonicalText]]:
        """For each text those canonical texts that it may copy, of what the anchor's agent can have seen."""
        ...
