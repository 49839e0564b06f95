"""The canonical rules in DuckDB, where Lamina keeps them itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from lamina.adapters.duckdb.rule_postings import Near, RulePostings
from lamina.adapters.duckdb.transaction import Transaction
from lamina.domain.canon import Canon
from lamina.domain.discipline import SHADOW_FLOOR, is_held, is_shadow
from lamina.domain.errors import UnknownRule
from lamina.domain.references import RuleRef
from lamina.ports.canonical_rules import Rule, texts_by_version


class DuckDBRules:
    """The rules of one anchor."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._canonical = transaction.names.canonical
        self._anchor = transaction.anchor
        self._postings = transaction.held.rule_postings
        self._containment = transaction.names.containment

    def add(self, rules: Sequence[Rule]) -> None:
        """Puts rules into the canonical table."""
        if self._canonical is None:
            raise UnknownRule("rules", "have no table", "name a canonical table in the spec's persistence")
        table = f"{self._canonical.schema_name}.{self._canonical.table}"
        self._statements.insert(table, [self._row(rule) for rule in rules])
        # Another agent may know the same rules by an anchor of other keys.
        self._postings.clear()

    def get(self, refs: Sequence[RuleRef]) -> list[Rule]:
        """Those of the rules that are there."""
        known = {rule.ref: rule for rule in self._all()} if refs else {}
        return [known[ref] for ref in refs if ref in known]

    def versions(self, rule_ids: Iterable[UUID]) -> Canon:
        """For each of these rules that is there, its text in each of its versions."""
        wanted = list(rule_ids)
        rules = self._where("list_contains(?::UUID[], id)", [wanted]) if wanted else []
        return texts_by_version(rules)

    def closest(self, text: str) -> tuple[Rule, float] | None:
        """The rule whose trigrams are most similar to the text's."""
        return self._loaded().closest(text)

    def copied_by(self, texts: Sequence[str]) -> list[tuple[RuleRef, float] | None]:
        """For each text the rule that it copies, and how similar; None if it copies none."""
        both = zip(texts, self._nearest(texts, RulePostings.closest), strict=True)
        return [(near[0].ref, near[1]) if near and is_shadow(text, near[1]) else None for text, near in both]

    def held_by(self, texts: Sequence[str]) -> list[tuple[RuleRef, float] | None]:
        """For each text the rule that it quotes, and what share of it; None if it quotes none."""
        both = zip(texts, self._nearest(texts, RulePostings.most_held), strict=True)
        quoted = self._containment
        return [(near[0].ref, near[1]) if near and is_held(text, near[1], quoted) else None for text, near in both]

    def _nearest(self, texts: Sequence[str], find: Callable[[RulePostings, str], Near | None]) -> list[Near | None]:
        """For each text the nearest rule, by one way to compare; short texts are not compared."""
        if all(len(text) < SHADOW_FLOOR for text in texts):
            return [None] * len(texts)
        rules = self._loaded()
        return [find(rules, text) if len(text) >= SHADOW_FLOOR else None for text in texts]

    def _loaded(self) -> RulePostings:
        return self._postings.get(self._anchor.id, lambda: RulePostings(self._all()))

    def _all(self) -> list[Rule]:
        return self._where("true", [])

    def _where(self, condition: str, parameters: list[object]) -> list[Rule]:
        canonical = self._canonical
        if canonical is None:
            return []
        columns = self._columns()
        conditions = " AND ".join([*(f"{column} = ?" for column in columns), condition])
        rows = self._statements.rows(
            f"SELECT {canonical.id_column} AS id, {canonical.version_column} AS version,"
            f" {canonical.body_column} AS body FROM {canonical.schema_name}.{canonical.table}"
            f" WHERE {conditions} ORDER BY id, version",
            [*columns.values(), *parameters],
        )
        return [Rule(RuleRef(row["id"], row["version"]), row["body"]) for row in rows]

    def _row(self, rule: Rule) -> dict[str, str | UUID]:
        assert self._canonical is not None  # noqa: S101 (the caller checked)
        return {
            **self._columns(),
            self._canonical.id_column: rule.ref.rule_id,
            self._canonical.version_column: rule.ref.version,
            self._canonical.body_column: rule.body,
        }

    def _columns(self) -> dict[str, str]:
        assert self._canonical is not None  # noqa: S101 (the caller checked)
        return {self._canonical.anchor_columns[name]: value for name, value in self._anchor.parts}


if TYPE_CHECKING:
    from lamina.ports.canonical_rules import CanonicalRules

    _: type[CanonicalRules] = DuckDBRules
