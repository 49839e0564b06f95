"""Every driver error is translated here, and nowhere else: by the constraint's name, then by SQLSTATE.

Under row security PostgreSQL does not say which key was refused, so whoever writes says what it was about.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from psycopg import Error, InterfaceError, OperationalError
from psycopg_pool import PoolClosed, PoolTimeout

from lamina.domain.copying import INSTEAD, holds, shadows
from lamina.domain.errors import (
    ContainsRule,
    DuplicateId,
    InvertedValidity,
    KeptForGood,
    LaminaError,
    NotPermitted,
    OverlappingClaims,
    ReadOnly,
    SchemaMismatch,
    ShadowsRule,
    StaleRecord,
    StoreClosed,
    StoreError,
    StoreUnavailable,
    TextTooLong,
    UnknownRecord,
    UnknownRule,
    WrongAnchor,
    WrongModel,
)
from lamina.domain.references import RuleRef


@dataclass(frozen=True, slots=True)
class About:
    """What a statement was about, for whoever reads the error."""

    records: Sequence[object] = ()
    matters: Sequence[object] = ()
    rules: Sequence[object] = ()
    ids: Sequence[object] = ()
    """The ids of what is written, if they are not those of records."""
    removes: bool = False
    """Whether it takes rows away: then a reference that is in the way is one to them."""
    permitted_by: str = "let the owner of the schema run `lamina migrate --grant-to ROLE`"
    """What to do where the role may not."""


NOTHING: Final = About()
_NAMED_AT_MOST: Final = 20
_CANCELLED: Final = "57014"


def nothing() -> About:
    """For a statement that can only fail by itself."""
    return NOTHING


@contextmanager
def translated(about: Callable[[], About] = nothing) -> Iterator[None]:
    """Around every use of the driver: its errors come out as those that the ports name."""
    try:
        yield
    except (Error, PoolClosed, PoolTimeout) as error:
        raise translation(error, about()) from error


@contextmanager
def committing() -> Iterator[None]:
    """Around a commit: the one place where a broken connection leaves it open whether anything was written."""
    try:
        yield
    except Error as error:
        if not is_dead(error):
            raise translation(error, NOTHING) from error
        raise StoreUnavailable(
            "the connection",
            f"broke while it committed: {_first_line(error)}",
            "look whether it was written before you write it again",
        ) from error


def translation(error: Exception, about: About) -> LaminaError:
    """The error that the port names for what the driver says."""
    if isinstance(error, PoolClosed):
        return StoreClosed("the store's pool", "is closed", "open the store again")
    if isinstance(error, PoolTimeout):
        remedy = "check that the server runs, and that the pool is large enough for the work"
        return StoreUnavailable("the store", f"gave no connection ({error})", remedy)
    diagnosis = error.diag if isinstance(error, Error) else None
    named = _by_constraint(diagnosis.constraint_name or "" if diagnosis else "")
    translate = named or _BY_STATE.get(getattr(error, "sqlstate", None) or "") or _other
    return translate(error, about)


def is_dead(error: Exception) -> bool:
    """Whether it was the connection that failed, and not what was asked of it, nor what took too long."""
    state = getattr(error, "sqlstate", None) or ""
    dead = not state or (state[:2] in ("08", "57") and state != _CANCELLED)
    return isinstance(error, OperationalError | InterfaceError) and dead


Translate = Callable[[Any, About], LaminaError]


def _by_constraint(name: str) -> Translate | None:
    found = [translate for end, translate in _BY_CONSTRAINT.items() if name.endswith(end)]
    return found[0] if found else None


def _shadow(error: Any, _: About) -> LaminaError:
    found = json.loads(error.diag.message_detail)
    ref = RuleRef(UUID(found["rule_id"]), found["version"])
    return ShadowsRule(f"record {found['memory_id']}", shadows(ref, found["similarity"]), INSTEAD)


def _containment(error: Any, _: About) -> LaminaError:
    found = json.loads(error.diag.message_detail)
    ref = RuleRef(UUID(found["rule_id"]), found["version"])
    return ContainsRule(f"record {found['memory_id']}", holds(ref, found["share"]), INSTEAD)


def _overlap(_: Any, about: About) -> LaminaError:
    return OverlappingClaims(
        f"what is claimed of {_listed(about.matters, 'one matter')}",
        "holds at the same time as another live claim",
        "end the earlier one where the later begins",
    )


def _duplicate(_: Any, about: About) -> LaminaError:
    ids = about.ids or [*about.records, *about.rules]
    return DuplicateId(f"id {_listed(ids, 'of a row')}", "is taken", "give a new one")


def _unknown_record(error: Any, about: About) -> LaminaError:
    if about.removes:
        return _kept(error, about)
    records = _listed(about.records, "that is referred to")
    return UnknownRecord(f"record {records}", "is not there", "write the record first, in this anchor")


def _unknown_rule(_: Any, about: About) -> LaminaError:
    rules = _listed(about.rules, "that is referred to")
    return UnknownRule(f"rule {rules}", "is not there", "add the rule first, or refer to a version that exists")


def _too_long(_: Any, about: About) -> LaminaError:
    return TextTooLong(f"body of {_listed(about.records, 'a record')}", "is over the spec's bound", "shorten it")


def _inverted(_: Any, about: About) -> LaminaError:
    return InvertedValidity(
        f"validity of {_listed(about.records, 'a record')}", "would end before it began", "give a later end"
    )


def _kept(error: Any, about: About) -> LaminaError:
    return KeptForGood(
        _listed(about.records, "what was written"), f"stays: {_first_line(error)}", "archive it, or write a new record"
    )


def _wrong_anchor(_: Any, about: About) -> LaminaError:
    return WrongAnchor(
        _listed(about.records, "a row"), "is of another anchor than this unit", "open a unit of its own anchor"
    )


def _wrong_dimension(_: Any, about: About) -> LaminaError:
    return WrongModel(f"vector of {_listed(about.records, 'a record')}", "has another dimension", "embed it again")


def _not_permitted(error: Any, about: About) -> LaminaError:
    return NotPermitted("the database role", f"may not: {_first_line(error)}", about.permitted_by)


def _read_only(_: Any, about: About) -> LaminaError:
    written = _listed(about.records, "anything")
    remedy = "open one that writes, by `unit`; a standby server takes none"
    return ReadOnly("the unit", f"only reads: it cannot write {written}", remedy)


def _deadlock(_: Any, about: About) -> LaminaError:
    return StaleRecord(
        _listed(about.records, "a record"), "was being changed by somebody else", "read again and try again"
    )


def _full(error: Any, _: About) -> LaminaError:
    return StoreUnavailable("the server", f"is full: {_first_line(error)}", "make room; nothing was written")


def _mismatch(error: Any, _: About) -> LaminaError:
    return SchemaMismatch(
        "the database",
        f"lacks what the spec names: {_first_line(error)}",
        "correct the spec, or that table",
    )


def _other(error: Any, _: About) -> LaminaError:
    if is_dead(error):
        return StoreUnavailable(
            "the server", f"cannot be reached: {_first_line(error)}", "check that it runs, and the URL; then try again"
        )
    return StoreError("the server", f"refused: {_first_line(error)}", "nothing was written; look at the cause")


# The first end that fits decides, so a longer one stands before a shorter one.
_BY_CONSTRAINT: Final[dict[str, Translate]] = {
    "_rule_shadow": _shadow,
    "_rule_shadow_held": _containment,
    "_live_claims": _overlap,
    "_validity": _inverted,
    "_body_bound": _too_long,
    "_embeddings_dimension": _wrong_dimension,
    "_durable": _kept,
    "_append_only": _kept,
    "_anchor_only": _wrong_anchor,
    "_refs_rule": _unknown_rule,
    "_contradicted_rule": _unknown_rule,
    "_pkey": _duplicate,
}
# Partitions have constraints of generated names: what their parent refuses is told by its state.
_BY_STATE: Final[dict[str, Translate]] = {
    "23505": _duplicate,
    "23503": _unknown_record,
    "23P01": _overlap,
    "23001": _kept,
    "25006": _read_only,
    "42501": _not_permitted,
    "40001": _deadlock,
    "40P01": _deadlock,
    "42703": _mismatch,
    "42P01": _mismatch,
    "42804": _mismatch,
    "42830": _mismatch,
    "53100": _full,
    "53200": _full,
    "53300": _full,
    "53400": _full,
}


def _listed(things: Iterable[object], otherwise: str) -> str:
    named = [str(thing) for thing in things]
    more = f" or {len(named) - _NAMED_AT_MOST} more" if len(named) > _NAMED_AT_MOST else ""
    return " or ".join(named[:_NAMED_AT_MOST]) + more if named else otherwise


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
