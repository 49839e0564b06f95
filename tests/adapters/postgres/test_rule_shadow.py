"""The D8 check is served by its index, however many rules other anchors have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool

from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import ShadowsRule
from lamina.ports.records import Entry
from lamina.testing.contracts.canonical_rules import BODY
from lamina.testing.samples import EMBEDDING, SPEC, anchor, record, rule, uuid

if TYPE_CHECKING:
    from tests.conftest import Database

RULES = 100_000
# Rules of eight words: what is tested is which way the search goes, and short ones are quickly made.
MANY = """
    INSERT INTO worlds.rules (org_id, domain_id, rule_id, world_version, body_text)
    SELECT 'org ' || mod(n, 100), 'kyc', gen_random_uuid(), 'v1',
        (SELECT string_agg(substr(md5((n * 8 + word)::text), 1, 6), ' ') FROM generate_series(1, 8) AS word)
    FROM generate_series(1, %s) AS n
"""
NO_CONTAINMENT = """
    CREATE OR REPLACE FUNCTION worlds.world_agent_most_held_rule(body text)
    RETURNS TABLE (id uuid, version text, share double precision) LANGUAGE sql
    AS 'SELECT NULL::uuid, NULL, 0::double precision WHERE false'
"""


NOTE = "Operators keep missing the ninety days in the citation rule; a reminder at draft time would help all of them."


WRITES = 7
"""After five of them PostgreSQL may keep one plan for all that follow."""
BY_ANCHOR_AND_TRIGRAMS = re.compile(
    r"Index Cond: \(\(org_id = .+\) AND \(domain_id = .+\) AND \(body_text OPERATOR\(public\.%\) .+\)\)"
)
PLAN = "auto_explain.log_min_duration = 0; auto_explain.log_nested_statements = on; auto_explain.log_level = notice"


@contextmanager
def explaining(database: Database) -> Iterator[list[str]]:
    """Every plan of the application's sessions that begin from now on, as the server itself tells it."""
    role, told = database.server.application, list[str]()
    with psycopg.connect(database.as_superuser, autocommit=True) as superuser:
        for setting in ("session_preload_libraries = auto_explain", *PLAN.split("; ")):
            superuser.execute(f"ALTER ROLE {role} IN DATABASE {database.name} SET {setting}")
        yield told
        superuser.execute(f"ALTER ROLE {role} IN DATABASE {database.name} RESET ALL")


def listening(database: Database, told: list[str]) -> ConnectionPool[Connection[Any]]:
    """A pool whose connections note down what they are told."""

    def configure(connection: Connection[Any]) -> None:
        connection.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))

    return ConnectionPool(database.as_application, min_size=1, configure=configure)


@pytest.fixture
def crowded(database: Database) -> Database:
    """A hundred thousand rules of a hundred other anchors, beside one of ours."""
    with psycopg.connect(database.as_superuser, autocommit=True) as superuser:
        superuser.execute("DROP INDEX worlds.rules_trigrams, worlds.rules_phrases")
        # The other guard, whose index takes longest to fill, is tested for itself.
        superuser.execute(NO_CONTAINMENT)
        superuser.execute(MANY, [RULES])
        superuser.execute(
            "CREATE INDEX rules_trigrams ON worlds.rules"
            " USING gist (org_id, domain_id, body_text gist_trgm_ops (siglen = 1024))"
        )
        superuser.execute("ANALYZE worlds.rules")
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", BODY)])
    store.close()
    return database


def test_a_hundred_thousand_rules_are_searched_by_the_index(crowded: Database) -> None:
    """The plan of the trigger's own query, in a session of the role that row security binds: also when it is kept."""
    with explaining(crowded) as told, listening(crowded, told) as pool:
        store = open_store(crowded.as_application, SPEC, EMBEDDING, pool=pool)
        for number in range(WRITES):
            with store.unit(anchor()) as unit:
                role = unit.records._transaction.connection.execute("SELECT current_user").fetchone()
                unit.records.add([Entry(record(f"note {number}", body=f"{NOTE} {number}"))])
        with pytest.raises(ShadowsRule, match=str(uuid("r"))), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("copy", body=BODY))])
    assert role == (crowded.server.application,)
    plans = [plan for plan in told if ".similarity > 0.85::real" in plan]
    assert len(plans) == WRITES + 1
    for plan in plans:
        assert "Index Scan using rules_trigrams on rules" in plan
        assert BY_ANCHOR_AND_TRIGRAMS.search(plan), plan
