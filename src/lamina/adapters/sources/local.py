"""A canonical source that is kept in this process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lamina.domain.anchor import Anchor
from lamina.domain.copying import CanonicalText
from lamina.domain.discipline import Canonical
from lamina.domain.words import words

RUN = 3
"""Texts that share no three words in a row are no copies of one another."""


class LocalSource:
    """Canonical texts of one category, for all anchors or for one: for tests, for local work, and for small corpora."""

    def __init__(self, category: Canonical | str) -> None:
        self.category = Canonical(category)
        self._by_run: defaultdict[tuple[str, ...], dict[CanonicalText, Anchor | None]] = defaultdict(dict)

    def add(self, texts: Iterable[tuple[str, str]], anchor: Anchor | None = None) -> None:
        """Adds texts with what they go by; with an anchor they are known there only."""
        for ref, text in texts:
            canonical = CanonicalText(ref, text)
            for run in _runs(text):
                self._by_run[run][canonical] = anchor

    def near(self, anchor: Anchor, texts: Sequence[str]) -> list[Sequence[CanonicalText]]:
        """Those that share three words in a row with each text, or all of fewer."""
        return [self._near(anchor, text) for text in texts] if self._by_run else [()] * len(texts)

    def _near(self, anchor: Anchor, text: str) -> Sequence[CanonicalText]:
        sharing = (self._by_run.get(run, {}) for run in _runs(text))
        return list(dict.fromkeys(one for few in sharing for one, of in few.items() if of in (None, anchor)))


def _runs(text: str) -> set[tuple[str, ...]]:
    said = words(text)
    return {tuple(said[start : start + RUN]) for start in range(max(len(said) - RUN + 1, 1))}


if TYPE_CHECKING:
    from lamina.ports.canonical_source import CanonicalSource

    _: type[CanonicalSource] = LocalSource
