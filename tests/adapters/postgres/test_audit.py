"""What the database refuses by itself, over raw SQL: as its owner, who could do anything else (D8, D10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, LiteralString

import psycopg
import pytest
from psycopg import Connection
from psycopg.errors import CheckViolation, RestrictViolation

from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import InvertedValidity, KeptForGood
from lamina.domain.ids import SessionId
from lamina.domain.record import MemoryRecord
from lamina.domain.record_row import state_row
from lamina.domain.scope import SessionScope
from lamina.domain.transitions import archive, tombstone
from lamina.ports.records import Entry
from lamina.testing.contracts.canonical_rules import BODY
from lamina.testing.contracts.provenance import corroboration
from lamina.testing.samples import EMBEDDING, SPEC, START, anchor, entry, record, rule, uuid

if TYPE_CHECKING:
    from tests.conftest import Database

SESSION = SessionScope(anchor(), SessionId(uuid("session")))
KEPT, SEEN, LINKED = record("kept"), record("seen", scope=SESSION), record("linked", scope=SESSION)


@pytest.fixture
def owner(database: Database) -> Iterator[Connection[Any]]:
    """The owner of the tables, bound to the anchor, with records of both kinds."""
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", BODY)])
        unit.records.add([Entry(KEPT), Entry(SEEN), Entry(LINKED)])
        unit.rule_references.add(KEPT.id, [rule("r", "").ref])
        unit.corroborations.add([corroboration("c", KEPT.id)])
    store.close()
    with psycopg.connect(database.as_owner) as connection:
        settings = {"anchor_id": str(anchor().id), "key.org_id": "acme", "key.domain_id": "kyc"}
        for name, value in settings.items():
            connection.execute("SELECT set_config(%s, %s, true)", [f"lamina.{name}", value])
        connection.execute(
            "INSERT INTO worlds.world_agent_action_links VALUES (%s, 'promotion', '7', %s, now())",
            [anchor().id, LINKED.id],
        )
        yield connection
        connection.rollback()


def refused(connection: Connection[Any], text: LiteralString, **values: Any) -> str | None:
    with pytest.raises((RestrictViolation, CheckViolation)) as error:
        connection.execute(text, values)
    return error.value.diag.constraint_name


@pytest.mark.parametrize("kept", [KEPT, LINKED], ids=["persistent", "action-linked"])
def test_what_is_kept_cannot_be_deleted(owner: Connection[Any], kept: MemoryRecord) -> None:
    name = refused(owner, "DELETE FROM worlds.world_agent_memory WHERE id = %(id)s", id=kept.id)
    assert name == "world_agent_durable"


@pytest.mark.parametrize("kept", [KEPT, LINKED], ids=["persistent", "action-linked"])
def test_the_body_of_what_is_kept_cannot_be_rewritten(owner: Connection[Any], kept: MemoryRecord) -> None:
    text: LiteralString = "UPDATE worlds.world_agent_memory SET body_text = 'something else' WHERE id = %(id)s"
    assert refused(owner, text, id=kept.id) == "world_agent_durable"


def test_a_body_can_only_be_blanked_by_an_erasure(owner: Connection[Any]) -> None:
    owner.execute("UPDATE worlds.world_agent_memory SET body_text = '', tombstoned_at = now() WHERE id = %s", [KEPT.id])
    text: LiteralString = "UPDATE worlds.world_agent_memory SET body_text = '' WHERE id = %(id)s"
    assert refused(owner, text, id=LINKED.id) == "world_agent_durable"


def test_a_tier_cannot_be_changed(owner: Connection[Any]) -> None:
    """Else persistent memory could be made transient first, and deleted then."""
    text: LiteralString = "UPDATE worlds.world_agent_memory SET tier = 'session' WHERE id = %(id)s"
    assert refused(owner, text, id=KEPT.id) == "world_agent_durable"


def test_transient_memory_without_an_action_can_be_removed(owner: Connection[Any]) -> None:
    assert owner.execute("DELETE FROM worlds.world_agent_memory WHERE id = %s", [SEEN.id]).rowcount == 1


@pytest.mark.parametrize(
    "table", ["corroborations", "decisions", "decision_records", "contradiction_history", "injections"]
)
@pytest.mark.parametrize("act", ["TRUNCATE {} CASCADE", "DELETE FROM {}", "UPDATE {} SET anchor_id = anchor_id"])
def test_what_happened_stays_what_happened(owner: Connection[Any], table: str, act: str) -> None:
    if not act.startswith("TRUNCATE") and table != "corroborations":
        owner.execute(f"ALTER TABLE worlds.world_agent_{table} DISABLE ROW LEVEL SECURITY")
        owner.execute(FILL[table], {"anchor_id": anchor().id, "id": uuid("d"), "memory_id": KEPT.id})
    with pytest.raises(RestrictViolation, match="append-only") as error:
        owner.execute(act.format(f"worlds.world_agent_{table}"))
    assert error.value.diag.constraint_name == "world_agent_append_only"


DECISION = "INSERT INTO worlds.world_agent_decisions VALUES (%(anchor_id)s, %(id)s, 'observe', now(), 'ADD', 'seen');"
FILL = {
    "injections": "INSERT INTO worlds.world_agent_injections VALUES (%(anchor_id)s, %(id)s, now(), %(memory_id)s)",
    "decisions": DECISION.rstrip(";"),
    "decision_records": "WITH decided AS (INSERT INTO worlds.world_agent_decisions VALUES"
    " (%(anchor_id)s, %(id)s, 'observe', now(), 'ADD', 'seen'))"
    " INSERT INTO worlds.world_agent_decision_records VALUES (%(anchor_id)s, %(id)s, 0, %(memory_id)s)",
    "contradiction_history": "WITH opened AS (INSERT INTO worlds.world_agent_rule_contradictions"
    " (anchor_id, org_id, domain_id, id, memory_id, rule_id, observed_at, status)"
    " VALUES (%(anchor_id)s, 'acme', 'kyc', %(id)s, %(memory_id)s, %(id)s, now(), 'open'))"
    " INSERT INTO worlds.world_agent_contradiction_history VALUES (%(anchor_id)s, %(id)s, 0, 'open', now(), 'x')",
}


def test_a_copy_of_a_rule_is_refused_by_its_own_constraint(owner: Connection[Any]) -> None:
    text: LiteralString = "UPDATE worlds.world_agent_memory SET body_text = %(body)s WHERE id = %(id)s"
    with pytest.raises(CheckViolation) as error:
        owner.execute(text, {"id": SEEN.id, "body": BODY})
    assert (error.value.sqlstate, error.value.diag.constraint_name) == ("23514", "world_agent_rule_shadow")


def test_a_rule_that_is_referred_to_cannot_be_deleted(owner: Connection[Any]) -> None:
    owner.execute("CREATE POLICY for_this_test ON worlds.rules USING (true)")
    assert (
        refused(owner, "DELETE FROM worlds.rules WHERE rule_id = %(id)s", id=uuid("r")) == "world_agent_rule_refs_rule"
    )


def test_a_validity_that_ends_before_it_begins_is_refused_by_name(owner: Connection[Any]) -> None:
    text: LiteralString = "UPDATE worlds.world_agent_memory SET invalid_at = valid_at - interval '1 day'"
    assert refused(owner, text) == "world_agent_validity"


def test_a_body_over_the_bound_is_refused_by_name(owner: Connection[Any]) -> None:
    text: LiteralString = "UPDATE worlds.world_agent_memory SET body_text = repeat('x', 2001) WHERE id = %(id)s"
    assert refused(owner, text, id=SEEN.id) == "world_agent_body_bound"


def test_any_cell_can_hold_a_record(owner: Connection[Any]) -> None:
    """D4: doctrine and gateway decide on tier by typology; the database has no CHECK."""
    cells = owner.execute(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = 'worlds.world_agent_memory'::regclass AND contype = 'c'"
    ).fetchall()
    assert not [text for (text,) in cells if "tier" in text or "typology" in text]


def test_references_resolve_to_canonical_text_when_they_are_read(owner: Connection[Any]) -> None:
    rows = owner.execute("SELECT memory_id, rule_id, rule_version, rule_body FROM worlds.world_agent_memory_rules")
    assert rows.fetchall() == [(KEPT.id, uuid("r"), "v1", BODY)]


def test_an_erasure_blanks_body_and_vector_and_keeps_the_row(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    one = entry(record("a"), 1)
    archived = archive(one.record, START, "stale")
    assert isinstance(archived, MemoryRecord)
    erased = tombstone(archived, 0, START, "asked for")
    assert isinstance(erased, MemoryRecord)
    with store.unit(anchor()) as unit:
        unit.records.add([one])
        unit.records.change(archived)
        unit.records.change(erased)
    with store.unit(anchor()) as unit:
        assert unit.records.get([erased.id]) == {erased.id: erased}
    store.close()
    with psycopg.connect(database.as_superuser) as connection:
        assert connection.execute("SELECT count(*) FROM worlds.world_agent_embeddings").fetchone() == (0,)


def test_refusals_of_the_database_have_names_in_python(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with pytest.raises(KeptForGood), store.unit(anchor()) as unit:
        unit.records.add([Entry(KEPT)])
        # What no transition gives: an erased body without an erasure's time.
        values = {**_unchanged(KEPT), "memory_id": KEPT.id}
        unit.records._transaction.count(store._statements.records.erase, values)
    with pytest.raises(InvertedValidity), store.unit(anchor()) as unit:
        unit.records.add([Entry(KEPT)])
        values = {**_unchanged(KEPT), "new_invalid_at": START.replace(year=2000), "memory_id": KEPT.id}
        unit.records._transaction.count(store._statements.records.change, values)
    store.close()


def _unchanged(one: MemoryRecord) -> dict[str, Any]:
    return {f"new_{name}": value for name, value in state_row(one).items()} | {"new_version": one.version + 1}
