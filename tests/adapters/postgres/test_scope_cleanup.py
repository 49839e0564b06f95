"""What the application's role cannot take away, over raw SQL: it may delete, but not what must stay (D10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection
from psycopg.errors import RestrictViolation

from lamina.adapters.postgres.errors import About
from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.domain.corroboration import SourceType
from lamina.domain.errors import KeptForGood
from lamina.domain.record import MemoryRecord
from lamina.testing.contracts.contradictions import contradiction, link
from lamina.testing.contracts.provenance import corroboration
from lamina.testing.contracts.scope_cleanup import episode
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record, rule

if TYPE_CHECKING:
    from tests.conftest import Database

FACT, PLAIN = record("fact"), episode("plain")
ACTED, SPOKEN, EVIDENCE, DOUBTED, OTHER = (
    episode(name) for name in ("acted", "spoken", "evidence", "doubted", "other")
)
STAYING = {
    "persistent": (FACT, "world_agent_durable"),
    "action-linked": (ACTED, "world_agent_durable"),
    "evidence": (EVIDENCE, "world_agent_durable"),
    "corroborated": (SPOKEN, "world_agent_corroborations_memory"),
    "contradicted": (DOUBTED, "world_agent_rule_contradictions_memory"),
    "the other side": (OTHER, "world_agent_rule_contradictions_other_memory"),
}
DELETE = "DELETE FROM worlds.world_agent_memory WHERE id = %s"


@pytest.fixture
def store(database: Database) -> Iterator[PostgresStore]:
    """Records that something points at, and one that nothing does; nothing finds any of them."""
    store = open_store(database.as_application, SPEC, EMBEDDING)
    known = rule("r", "Cite sources.")
    with store.unit(anchor()) as unit:
        unit.rules.add([known])
        unit.records.add([entry(one) for one in (FACT, PLAIN, ACTED, SPOKEN, EVIDENCE, DOUBTED, OTHER)])
        unit.action_links.add([link(ACTED.id)])
        observed = replace(
            corroboration("e", FACT.id), source_type=SourceType.OBSERVATION_EVENT, source_ref=EVIDENCE.id
        )
        unit.corroborations.add([corroboration("c", SPOKEN.id), observed])
        unit.contradictions.add([contradiction("c", DOUBTED.id, OTHER.id)])
        for one in (FACT, ACTED, PLAIN):
            unit.rule_references.add(one.id, [known.ref])
    yield store
    store.close()


@pytest.fixture
def raw(store: PostgresStore, database: Database) -> Iterator[Connection[Any]]:
    """The application's role without any of our code, bound to the anchor."""
    del store
    with psycopg.connect(database.as_application) as connection:
        settings = {"anchor_id": str(anchor().id), "key.org_id": "acme", "key.domain_id": "kyc"}
        for name, value in settings.items():
            connection.execute("SELECT set_config(%s, %s, true)", [f"lamina.{name}", value])
        connection.execute("DELETE FROM worlds.world_agent_documents")
        yield connection
        connection.rollback()


@pytest.mark.parametrize(("kept", "constraint"), STAYING.values(), ids=list(STAYING))
def test_what_must_stay_cannot_be_deleted(raw: Connection[Any], kept: MemoryRecord, constraint: str) -> None:
    with raw.transaction():
        raw.execute("DELETE FROM worlds.world_agent_rule_refs WHERE memory_id = %s", [PLAIN.id])
    with pytest.raises(psycopg.IntegrityError) as error:
        raw.execute(DELETE, [kept.id])
    assert error.value.diag.constraint_name == constraint


@pytest.mark.parametrize("kept", [FACT, ACTED], ids=["persistent", "action-linked"])
def test_what_a_kept_record_refers_to_stays(raw: Connection[Any], kept: MemoryRecord) -> None:
    with pytest.raises(RestrictViolation, match=str(kept.id)) as error:
        raw.execute("DELETE FROM worlds.world_agent_rule_refs WHERE memory_id = %s", [kept.id])
    assert error.value.diag.constraint_name == "world_agent_durable"


def test_what_nothing_points_at_can_be_deleted(raw: Connection[Any]) -> None:
    assert raw.execute("DELETE FROM worlds.world_agent_rule_refs WHERE memory_id = %s", [PLAIN.id]).rowcount == 1
    assert raw.execute(DELETE, [PLAIN.id]).rowcount == 1


@pytest.mark.parametrize("table", ["action_links", "corroborations", "rule_contradictions", "decisions", "meta"])
def test_what_points_at_it_cannot_be_taken_away_first(raw: Connection[Any], table: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        raw.execute(f"DELETE FROM worlds.world_agent_{table}")


@pytest.mark.parametrize("kept", [SPOKEN, DOUBTED, OTHER], ids=["corroborated", "contradicted", "the other side"])
def test_a_pointer_that_came_in_between_has_a_name_in_python(store: PostgresStore, kept: MemoryRecord) -> None:
    """The check before the removal did not see it yet; the database does."""
    with store.unit(anchor()) as unit:
        for statement in store._statements.scope_cleanup.detach:
            unit.scope_cleanup._transaction.count(statement, {"ids": [PLAIN.id, SPOKEN.id, DOUBTED.id, OTHER.id]})
    about = About([kept.id], removes=True)
    with pytest.raises(KeptForGood, match=str(kept.id)), store.unit(anchor()) as unit:
        unit.scope_cleanup._transaction.count(store._statements.scope_cleanup.remove, {"ids": [kept.id]}, lambda: about)
    with store.unit(anchor()) as unit:
        assert set(unit.records.get([kept.id])) == {kept.id}
