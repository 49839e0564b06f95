"""The containment guard tells words as the domain does, and is served by its index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import Connection
from psycopg.errors import CheckViolation

from lamina.adapters.postgres.migrate import migrate
from lamina.adapters.postgres.store import open_store
from lamina.domain.agents import WORLD_AGENT
from lamina.domain.confusables import DRAWN, UNSEEN
from lamina.domain.errors import ContainsRule, SchemaMismatch, ShadowsRule
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.words import phrases
from lamina.ports.records import Entry
from lamina.testing.contracts.canonical_rules import BODY, LONG
from lamina.testing.samples import EMBEDDING, SPEC, anchor, record, rule

if TYPE_CHECKING:
    from tests.conftest import Database, Template

HALF = LONG[: len(LONG) // 2]
# What a database can hold, often of what is drawn alike, hidden or taken apart by normalization.
ODD = st.sampled_from([*DRAWN, *(chr(first) for first, _ in UNSEEN), *"ÀſßİıŁøﬁ½①ΣςǅＡ東é\u0301 \n.,_-'’"])
CHARACTER = st.characters(blacklist_categories=("Cs", "Cn"), blacklist_characters="\0")
TEXTS = st.lists(st.text(st.one_of(ODD, CHARACTER), min_size=1, max_size=6), max_size=30).map(" ".join)


@pytest.fixture
def owner(database: Database) -> Iterator[Connection[Any]]:
    with psycopg.connect(database.as_owner) as connection:
        yield connection


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_phrases_are_the_domains(owner: Connection[Any], text: str) -> None:
    ours = sorted(phrases(text))
    seed = owner.execute("SELECT hashtextextended(one, 7) FROM unnest(%s::text[]) AS one", [ours]).fetchall()
    theirs = owner.execute("SELECT unnest(worlds.world_agent_phrases(%s, 7))", [text]).fetchall()
    assert sorted(theirs) == sorted(seed)


def test_the_plan_searches_by_phrases(owner: Connection[Any]) -> None:
    owner.execute("SET LOCAL enable_seqscan = off")
    asked = "worlds.world_agent_phrases(body_text, hashtextextended(org_id || chr(31) || domain_id, 0))"
    rows = owner.execute(f"EXPLAIN SELECT FROM worlds.rules WHERE {asked} && ARRAY[1, 2]::bigint[]").fetchall()
    assert "Bitmap Index Scan on rules_phrases" in " ".join(line for (line,) in rows)


def test_plain_sql_is_refused_by_a_constraint_of_its_own_name(database: Database) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", LONG)])
        unit.records.add([Entry(record("note"))])
    store.close()
    with psycopg.connect(database.as_superuser) as connection:
        connection.execute("ALTER TABLE worlds.world_agent_memory DISABLE TRIGGER world_agent_final_body")
        connection.execute("SELECT set_config('lamina.anchor_id', %s, true)", [str(anchor().id)])
        for key, value in anchor().parts:
            connection.execute("SELECT set_config(%s, %s, true)", [f"lamina.key.{key}", value])
        with pytest.raises(CheckViolation) as caught:
            connection.execute("UPDATE worlds.world_agent_memory SET body_text = %s", [HALF])
    assert caught.value.diag.constraint_name == "world_agent_rule_shadow_held"


@pytest.mark.parametrize(
    "columns",
    [("id", "version", "body"), ("rule", "share", "said"), ("similarity", "of_version", "text")],
    ids="-".join,
)
def test_the_columns_of_the_rules_may_have_any_name(columns: tuple[str, str, str], template: Template) -> None:
    assert SPEC.persistence.canonical is not None
    called = dict(zip(("id_column", "version_column", "body_column"), columns, strict=True))
    canonical = SPEC.persistence.canonical.model_copy(update=called)
    spec = SPEC.model_copy(update={"persistence": SPEC.persistence.model_copy(update={"canonical": canonical})})
    store = open_store(template(spec, EMBEDDING).as_application, spec, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", LONG)])
    for body, refused in ((LONG, ShadowsRule), (HALF, ContainsRule)):
        with pytest.raises(refused), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("copy", body=body))])
    with store.unit(anchor()) as unit:
        assert unit.rules.copied_by([LONG, BODY]) == [(rule("r", LONG).ref, 1.0), None]
        assert unit.rules.held_by([HALF, BODY])[1] is None
        unit.records.add([Entry(record("note", body="It was said again that nobody had looked at the gate. " * 3))])
    store.close()


def with_share(share: float | None) -> AgentMemorySpec:
    defence = WORLD_AGENT.reference_only.leak_defence.model_copy(update={"containment": share})
    listed = WORLD_AGENT.reference_only.model_copy(update={"leak_defence": defence})
    return WORLD_AGENT.model_copy(update={"reference_only": listed})


def test_the_share_is_the_specs_and_can_be_changed_by_migrating_again(database: Database) -> None:
    def held(share: float | None) -> bool:
        spec = with_share(share)
        migrate(database.as_owner, spec, EMBEDDING)
        store = open_store(database.as_application, spec, EMBEDDING)
        with store.reading(anchor()) as unit:
            (found,) = unit.rules.held_by([HALF])
        store.close()
        return found is not None

    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", LONG), rule("s", BODY)])
    store.close()
    with pytest.raises(SchemaMismatch, match="from a share of 0.35 on, the spec from 0.9; run `lamina migrate`"):
        open_store(database.as_application, with_share(0.9), EMBEDDING)
    assert [held(share) for share in (0.35, 0.9, None, 0.2)] == [True, False, False, True]
