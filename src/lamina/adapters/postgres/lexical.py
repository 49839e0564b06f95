"""Terms, as SQL: what maintenance has spread is found by its key, what is fresh is looked through.

Only equality of uuid and of text is asked for: both are leakproof, so that row security lets the indexes serve them.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Double,
    FromClause,
    Integer,
    Select,
    Subquery,
    Text,
    and_,
    any_,
    bindparam,
    cast,
    exists,
    func,
    literal_column,
    not_,
    select,
    true,
    union,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by

from lamina.adapters.postgres.best import LIMIT, looked_up
from lamina.adapters.postgres.posted import FREQUENCY, TERM
from lamina.adapters.postgres.selecting import Condition, in_cells, is_mine, is_selected
from lamina.adapters.postgres.tables import Tables


def counting(tables: Tables) -> Select[Any]:
    """What BM25 is weighed by: a row for each term that is there, or one without a term; each with the totals."""
    documents, postings = tables["documents"].alias(), tables["postings"].alias()
    whole = (
        select(
            func.count().label("documents"),
            func.coalesce(func.sum(documents.c.length), 0).cast(BigInteger).label("total_length"),
        )
        .where(is_mine(documents), documents.c.length > 0)
        .subquery("whole")
    )
    asked = any_(bindparam("terms", type_=ARRAY(Text)))
    fresh, one = _fresh(tables)
    spread = select(postings.c.term).where(is_mine(postings), postings.c.term == asked)
    having = union_all(spread, fresh.with_only_columns(one.c.term).where(one.c.term == asked)).subquery("having")
    counted = select(having.c.term, func.count().label("containing")).group_by(having.c.term).subquery("counted")
    return select(whole, counted).select_from(whole.outerjoin(counted, true()))


def there(tables: Tables) -> CompoundSelect[Any]:
    """Those of some terms that any record has. What is spread is only looked for, not counted."""
    asked = func.unnest(bindparam("terms", type_=ARRAY(Text))).table_valued("term").render_derived(name="asked")
    postings = tables["postings"].alias()
    spread = exists().select_from(postings).where(is_mine(postings), postings.c.term == asked.c.term)
    again = func.unnest(bindparam("terms", type_=ARRAY(Text))).table_valued("term").render_derived(name="again")
    fresh, one = _fresh(tables)
    late = fresh.with_only_columns(one.c.term).join(again, again.c.term == one.c.term)
    return union(select(asked.c.term).where(spread), late)


def matching(tables: Tables) -> Select[Any]:
    """The best by BM25, whose weights are parameters: each sum in the order of the weights, as the domain adds."""
    asked = func.unnest(bindparam("terms", type_=ARRAY(Text)), bindparam("weights", type_=ARRAY(Double))).table_valued(
        "term", "weight", with_ordinality="place"
    )
    found = _found(tables, asked.render_derived(name="asked"), ["weight", "place"])
    flat, slope = (bindparam(name, type_=Double) for name in ("flat", "slope"))
    tf, length = cast(found.c.tf, Double), cast(found.c.length, Double)
    # Cast, so that it stays in parentheses: SQLAlchemy takes addition for associative, which it is not to the last bit.
    held_against = cast(flat + slope * length, Double)
    addition = cast(found.c.weight, Double) * tf / (tf + held_against)
    score = func.sum(aggregate_order_by(addition, found.c.place))
    return _best(tables, found, score)


def tagged(tables: Tables) -> Select[Any]:
    """Those that share the most labels, with the share."""
    asked = func.unnest(bindparam("finding", type_=ARRAY(Text))).table_valued("term").render_derived(name="asked")
    found = _found(tables, asked, [])
    share = cast(func.count(), Double) / bindparam("asked", type_=Integer)
    return _best(tables, found, share)


def posted(tables: Tables, ids: ColumnElement[Any]) -> Select[Any]:
    """Which of the terms asked for some records have: each as one number, as `Posted` takes it apart."""
    asked, these = bindparam("posted", type_=ARRAY(Text)), any_(ids)
    postings = tables["postings"].alias()
    columns = (postings.c.memory_id, postings.c.term, postings.c.tf, postings.c.length)
    spread = select(*columns).where(is_mine(postings), postings.c.term == any_(asked), postings.c.memory_id == these)
    fresh, one = _fresh(tables)
    late_ids = fresh.selected_columns.memory_id
    late = fresh.with_only_columns(late_ids, one.c.term, one.c.tf, fresh.selected_columns.length)
    late = late.where(one.c.term == any_(asked), late_ids == these)
    having = union_all(spread, late).subquery("having")
    at_term, at_frequency = literal_column(str(TERM), Integer), literal_column(str(FREQUENCY), Integer)
    term, tf = cast(func.array_position(asked, having.c.term), BigInteger), cast(having.c.tf, BigInteger)
    together = term.bitwise_lshift(at_term).bitwise_or(tf.bitwise_lshift(at_frequency)).bitwise_or(having.c.length)
    return select(having.c.memory_id, together.label("posting"))


def _found(tables: Tables, asked: FromClause, more: list[str]) -> Subquery:
    postings = tables["postings"].alias()
    weighed = [asked.c[name] for name in more]
    columns = [postings.c[name] for name in ("memory_id", "valid_at", "tf", "length")]
    spread = select(*columns, *weighed).join_from(
        asked, postings, and_(is_mine(postings), postings.c.term == asked.c.term)
    )
    fresh, one = _fresh(tables)
    looked_through = fresh.add_columns(*weighed).join(asked, asked.c.term == one.c.term)
    return union_all(spread, looked_through).subquery("found")


def _fresh(tables: Tables) -> tuple[Select[Any], FromClause]:
    documents = tables["documents"].alias()
    one = func.unnest(documents.c.terms, documents.c.frequencies).table_valued("term", "tf").render_derived()
    listed = one.lateral("one")
    columns = (documents.c.memory_id, documents.c.valid_at, listed.c.tf, documents.c.length)
    chosen = select(*columns).select_from(documents.join(listed, true())).where(is_mine(documents))
    return chosen.where(not_(documents.c.spread)), listed


def _best(tables: Tables, found: FromClause, score: ColumnElement[Any]) -> Select[Any]:
    scored = select(found.c.memory_id.label("id"), func.min(found.c.valid_at).label("valid_at"), score.label("score"))
    every = scored.group_by(found.c.memory_id).subquery("every")
    in_order = select(every).order_by(*_order(every)).offset(0).subquery("in_order")
    kept = looked_up(tables, in_order.c.id, _is_taken)
    found_at = (in_order.c.id, in_order.c.score, kept.c.session_id, kept.c.position)
    return select(*found_at).join(kept, true()).order_by(*_order(in_order)).limit(LIMIT)


def _order(scored: FromClause) -> tuple[ColumnElement[Any], ...]:
    return scored.c.score.desc(), scored.c.valid_at.desc(), scored.c.id


def _is_taken(memory: FromClause) -> Condition:
    return and_(in_cells(memory), is_selected(memory))
