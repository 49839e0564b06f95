"""The canonical rules in Postgres: read where their owner keeps them (D6, D8)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg.rows import DictRow
from sqlalchemy import (
    Column,
    ColumnElement,
    Double,
    Select,
    Table,
    TableValuedAlias,
    Text,
    any_,
    bindparam,
    cast,
    func,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.sql_parts import Extensions
from lamina.adapters.postgres.statements import Statement, insertion
from lamina.adapters.postgres.tables import Tables
from lamina.adapters.postgres.transaction import Transaction
from lamina.domain.canon import Canon
from lamina.domain.discipline import is_shadow
from lamina.domain.errors import UnknownRule
from lamina.domain.persistence import CanonicalTable
from lamina.domain.references import RuleRef
from lamina.ports.canonical_rules import Rule, texts_by_version


@dataclass(frozen=True, slots=True)
class CanonicalStatements:
    """What is asked of the canonical table."""

    canonical: CanonicalTable
    add: Statement
    get: Statement
    closest: Statement
    copied: Statement
    held: Statement

    @classmethod
    def of(cls, tables: Tables, extensions: Extensions) -> CanonicalStatements | None:
        """The statements of one spec; none if it names no canonical table."""
        canonical = tables.names.canonical
        if canonical is None:
            return None
        table = tables["canonical"]
        mine = _mine(table, canonical)
        wanted = table.c[canonical.id_column] == any_(bindparam("ids", type_=ARRAY(UUID)))
        return cls(
            canonical=canonical,
            add=Statement.of(insertion(table)),
            get=Statement.of(mine.where(wanted)),
            closest=Statement.of(
                _closest(table.c[canonical.body_column], mine, extensions, bindparam("text", type_=Text))
            ),
            copied=Statement.of(_copied(table.c[canonical.body_column], mine, extensions)),
            held=Statement.of(_held(tables.names)),
        )


def _mine(table: Table, canonical: CanonicalTable) -> Select[Any]:
    return select(
        table.c[canonical.id_column].label("id"),
        table.c[canonical.version_column].label("version"),
        table.c[canonical.body_column].label("body"),
    ).where(*(table.c[column] == bindparam(f"key_{column}") for column in canonical.anchor_columns.values()))


def _closest(
    body: ColumnElement[str], mine: Select[Any], extensions: Extensions, text: ColumnElement[str]
) -> Select[Any]:
    # The index walks by distance, a real that was rounded once more than the similarity: so a few are looked at.
    near = mine.order_by(body.op(f'OPERATOR("{extensions.pg_trgm}".<->)')(text)).limit(8).subquery()
    similarity = getattr(func, extensions.pg_trgm).similarity(near.c.body, text)
    # As a double: printed as a real it would be another number.
    score = cast(similarity, Double).label("similarity")
    return select(near, score).order_by(score.desc(), near.c.id, near.c.version).limit(1)


def _held(names: Names) -> Select[Any]:
    given = _given()
    function = getattr(getattr(func, names.schema), names.own("most_held_rule"))
    columns = (Column("id", UUID), Column("version", Text), Column("share", Double))
    most = function(given.c.text).table_valued(*columns).lateral("most")
    return select(given.c.place, most).join_from(given, most, true())


def _given() -> TableValuedAlias:
    texts = func.unnest(bindparam("texts", type_=ARRAY(Text))).table_valued(
        Column("text", Text), with_ordinality="place"
    )
    return texts.render_derived(name="given")


def _copied(body: ColumnElement[str], mine: Select[Any], extensions: Extensions) -> Select[Any]:
    given = _given()
    closest = _closest(body, mine, extensions, given.c.text).lateral("closest")
    return select(given.c.place, closest).join_from(given, closest, true())


class PostgresRules:
    """One anchor's rules, in one transaction."""

    def __init__(self, transaction: Transaction, statements: CanonicalStatements | None) -> None:
        self._transaction = transaction
        self._statements = statements

    def add(self, rules: Sequence[Rule]) -> None:
        """Puts rules into the canonical table."""
        if self._statements is None:
            raise UnknownRule("rules", "have no table", "name a canonical table in the spec's persistence")
        canonical = self._statements.canonical
        rows = [
            {
                **self._keys(canonical),
                canonical.id_column: rule.ref.rule_id,
                canonical.version_column: rule.ref.version,
                canonical.body_column: rule.body,
            }
            for rule in rules
        ]
        about = About(rules=[f"{rule.ref.rule_id} version {rule.ref.version}" for rule in rules])
        self._transaction.each([(self._statements.add, row) for row in rows], lambda: about)

    def get(self, refs: Sequence[RuleRef]) -> list[Rule]:
        """Those of the rules that are there, in the order in which they were asked for."""
        known = {rule.ref: rule for rule in self._of([ref.rule_id for ref in refs])}
        return [known[ref] for ref in refs if ref in known]

    def versions(self, rule_ids: Iterable[uuid.UUID]) -> Canon:
        """For each of these rules that is there, its text in each of its versions."""
        return texts_by_version(self._of(list(rule_ids)))

    def _of(self, rule_ids: Sequence[uuid.UUID]) -> list[Rule]:
        """Every version of these rules."""
        if self._statements is None or not rule_ids:
            return []
        asked = {"ids": rule_ids, **self._bound(self._statements.canonical)}
        return [_read(row) for row in self._transaction.rows(self._statements.get, asked)]

    def closest(self, text: str) -> tuple[Rule, float] | None:
        """The rule whose trigrams are most similar to the text's, and how similar."""
        if self._statements is None:
            return None
        asked = {"text": text, **self._bound(self._statements.canonical)}
        rows = self._transaction.rows(self._statements.closest, asked)
        return (_read(rows[0]), rows[0]["similarity"]) if rows else None

    def copied_by(self, texts: Sequence[str]) -> list[tuple[RuleRef, float] | None]:
        """For each text the rule that it copies, and how similar; None if it copies none."""
        long = [place for place, text in enumerate(texts) if is_shadow(text, similarity=1.0)]
        if self._statements is None or not long:
            return [None] * len(texts)
        asked = {"texts": [texts[place] for place in long], **self._bound(self._statements.canonical)}
        found: list[tuple[RuleRef, float] | None] = [None] * len(texts)
        for row in self._transaction.rows(self._statements.copied, asked):
            place = long[row["place"] - 1]
            if is_shadow(texts[place], row["similarity"]):
                found[place] = (RuleRef(row["id"], row["version"]), row["similarity"])
        return found

    def held_by(self, texts: Sequence[str]) -> list[tuple[RuleRef, float] | None]:
        """For each text the rule that it quotes, and what share of it; None if it quotes none."""
        found: list[tuple[RuleRef, float] | None] = [None] * len(texts)
        if self._statements is None or not texts:
            return found
        for row in self._transaction.rows(self._statements.held, {"texts": list(texts)}):
            found[row["place"] - 1] = (RuleRef(row["id"], row["version"]), row["share"])
        return found

    def _keys(self, canonical: CanonicalTable) -> dict[str, str]:
        return {canonical.anchor_columns[name]: value for name, value in self._transaction.anchor.parts}

    def _bound(self, canonical: CanonicalTable) -> dict[str, str]:
        return {f"key_{column}": value for column, value in self._keys(canonical).items()}


def _read(row: DictRow) -> Rule:
    return Rule(RuleRef(row["id"], row["version"]), row["body"])


if TYPE_CHECKING:
    from lamina.ports.canonical_rules import CanonicalRules

    _: type[CanonicalRules] = PostgresRules
