"""A canonical source that is kept in this process."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lamina.domain.anchor import Anchor
from lamina.domain.copying import CanonicalText
from lamina.domain.discipline import Canonical
from lamina.domain.words import words

RUN = 3
SHARED = 0.25
"""Of a text that is copied, nearly or in good part, at least this share of its runs of three words is in the copy."""


class LocalSource:
    """Canonical texts of one category, for all anchors or for one: for tests, for local work, and for small corpora."""

    def __init__(self, category: Canonical | str) -> None:
        self.category = Canonical(category)
        self._texts: list[tuple[CanonicalText, Anchor | None, int]] = []
        self._by_run: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)

    def add(self, texts: Iterable[tuple[str, str]], anchor: Anchor | None = None) -> None:
        """Adds texts with what they go by; with an anchor they are known there only."""
        for ref, text in texts:
            runs = _runs(text)
            for run in runs:
                self._by_run[run].append(len(self._texts))
            self._texts.append((CanonicalText(ref, text), anchor, len(runs)))

    def near(self, anchor: Anchor, texts: Sequence[str]) -> list[Sequence[CanonicalText]]:
        """Those of which each text has enough runs of words to be a copy."""
        return [self._near(anchor, text) for text in texts] if self._texts else [()] * len(texts)

    def _near(self, anchor: Anchor, text: str) -> Sequence[CanonicalText]:
        shared = Counter(place for run in _runs(text) for place in self._by_run.get(run, ()))
        found = ((*self._texts[place], count) for place, count in sorted(shared.items()))
        return [one for one, of, runs, count in found if of in (None, anchor) and count >= SHARED * runs]


def _runs(text: str) -> set[tuple[str, ...]]:
    said = words(text)
    return {tuple(said[start : start + RUN]) for start in range(max(len(said) - RUN + 1, 1))}


if TYPE_CHECKING:
    from lamina.ports.canonical_source import CanonicalSource

    _: type[CanonicalSource] = LocalSource
