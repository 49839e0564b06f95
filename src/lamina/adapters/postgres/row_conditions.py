"""What policies and triggers ask of a row, as SQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from psycopg.sql import SQL, Composable, Composed, Identifier, Literal

from lamina.adapters.postgres.names import ACROSS_SETTING, ANCHOR_SETTING, Names, across_setting, key_setting
from lamina.domain.corroboration import SourceType


def anchor_is_bound(row: str | None = None) -> Composable:
    """Whether a row is of the anchor that the transaction is bound to. A setting that was once set is '' later."""
    setting = SQL("nullif(current_setting({}, true), '')::uuid").format(Literal(ANCHOR_SETTING))
    return SQL("{} = {}").format(column_of("anchor_id", row), setting)


def keys_are_bound(keys: Sequence[str], columns: Sequence[str], row: str | None = None) -> Composable:
    """Whether a row's anchor columns are those of the anchor that the transaction is bound to."""
    return all_of(
        SQL("{} = current_setting({}, true)").format(column_of(column, row), Literal(key_setting(key)))
        for key, column in zip(keys, columns, strict=True)
    )


def fits_the_pattern(names: Names) -> Composable:
    """Whether an anchor fits the pattern that the transaction is bound to."""
    bound = SQL("current_setting({}, true) = 'bound'").format(Literal(ACROSS_SETTING))
    return all_of([bound, *(_fits(key, may_be_open=key in names.open_keys) for key in names.anchor_keys)])


def _fits(key: str, *, may_be_open: bool) -> Composable:
    asked = SQL("current_setting({}, true)").format(Literal(across_setting(key)))
    equal = SQL("{} = {}").format(Identifier(key), asked)
    return SQL("({} = '' OR {})").format(asked, equal) if may_be_open else equal


def bound_anchor(keys: Sequence[str]) -> Composable:
    """The id and the keys of the anchor that the transaction is bound to."""
    anchor_id = SQL("current_setting({})::uuid").format(Literal(ANCHOR_SETTING))
    values = (SQL("current_setting({})").format(Literal(key_setting(key))) for key in keys)
    return SQL(", ").join([anchor_id, *values])


def old_is_evidence(names: Names) -> Composable:
    """Whether the row that a trigger is asked about is what another record was observed by."""
    if not names.corroborations:
        return SQL("false")
    spoken = SQL("spoken.anchor_id = OLD.anchor_id AND spoken.source_ref = OLD.id")
    kind = SQL("spoken.source_type = {}").format(Literal(SourceType.OBSERVATION_EVENT.value))
    table = Identifier(names.schema, names.own("corroborations"))
    return SQL("EXISTS (SELECT FROM {} AS spoken WHERE {} AND {})").format(table, spoken, kind)


def row_is_bound(names: Names, table: str) -> Composable:
    """What a row must be to be written to one of the agent's tables."""
    whole = [anchor_is_bound()]
    if table in names.with_keys:
        whole.append(keys_are_bound(names.anchor_keys, names.anchor_keys))
    return all_of(whole)


def column_of(name: str, row: str | None) -> Composable:
    # NEW is a keyword of a trigger: quoted, it would be another name.
    if row == "NEW":
        return SQL("NEW.{}").format(Identifier(name))
    return Identifier(row, name) if row else Identifier(name)


def all_of(conditions: Iterable[Composable]) -> Composed:
    return SQL(" AND ").join(conditions)
