"""The rules that memory may refer to and never copy (P13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lamina.domain.references import RuleRef


@dataclass(frozen=True, slots=True)
class Rule:
    """A canonical rule as its owner keeps it."""

    ref: RuleRef
    body: str


class CanonicalRules(Protocol):
    """The anchor's rules. Lamina reads them; only for local work does it keep them too."""

    def add(self, rules: Sequence[Rule]) -> None:
        """Puts rules into the canonical table: for tests, and where no other owner keeps one."""
        ...

    def get(self, refs: Sequence[RuleRef]) -> list[Rule]:
        """Those of the rules that are there."""
        ...

    def closest(self, text: str) -> tuple[Rule, float] | None:
        """The rule whose trigrams are most similar to the text's, and how similar; None if there is no rule."""
        ...

    def copied_by(self, texts: Sequence[str]) -> list[tuple[RuleRef, float] | None]:
        """For each text the rule that it copies by `discipline.is_shadow`, and how similar; None if it copies none."""
        ...

    def held_by(self, texts: Sequence[str]) -> list[tuple[RuleRef, float] | None]:
        """For each text the rule that it quotes by `discipline.is_held`, the one most of whose phrases it holds, and
        what share; None if it quotes none."""
        ...
