"""RapidFuzz: one text beside many, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING


class RapidFuzz:
    """Nothing is normalized here: both sides are already."""

    def token_set_ratios(self, query: str, texts: Sequence[str]) -> list[float]:
        """RapidFuzz's token_set_ratio of the query and each text, from 0 to 100."""
        from rapidfuzz.fuzz import token_set_ratio  # noqa: PLC0415 (only when first used)
        from rapidfuzz.process import cdist  # noqa: PLC0415

        if not texts:
            return []
        ratios: list[float] = cdist([query], texts, scorer=token_set_ratio, dtype="float64")[0].tolist()
        return ratios


if TYPE_CHECKING:
    from lamina.ports.fuzzy import Fuzzy

    _: type[Fuzzy] = RapidFuzz
