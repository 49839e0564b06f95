"""The rules that memory may refer to and never copy (P13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from lamina.domain.canon import Canon
from lamina.domain.references import RuleRef


@dataclass(frozen=True, slots=True)
class Rule:
    """A canonical rule as its owner keeps it."""

    ref: RuleRef
    body: str


def texts_by_version(rules: Iterable[Rule]) -> Canon:
    """The texts of rules, by rule and version."""
    texts: dict[UUID, dict[str, str]] = {}
    for rule in rules:
        texts.setdefault(rule.ref.rule_id, {})[rule.ref.version] = rule.body
    return texts


class CanonicalRules(Protocol):
    """The anchor's rules. Lamina reads them; only for local work does it keep them too."""

    def add(self, rules: Sequence[Rule]) -> None:
        """Puts rules into the canonical table: for tests, and where no other owner keeps one."""
        ...

    def get(self, refs: Sequence[RuleRef]) -> list[Rule]:
        """Those of the rules that are there."""
        ...

    def versions(self, rule_ids: Iterable[UUID]) -> Canon:
        """For each of these rules that is there, its text in each of its versions."""
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
