"""The D8 check is served by its index, however many rules other anchors have."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import Connection

from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import ShadowsRule
from lamina.ports.records import Entry
from lamina.testing.contracts.canonical_rules import BODY
from lamina.testing.samples import EMBEDDING, SPEC, anchor, record, rule

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


NOTE = "Operators keep missing the ninety days in the citation rule; a reminder at draft time would help all of them."


def scans(connection: Connection[Any]) -> tuple[int, int]:
    """How often the trigram index was searched, and how often the whole table was read."""
    connection.execute("SELECT pg_stat_clear_snapshot()")
    row = connection.execute(
        "SELECT one.idx_scan, whole.seq_scan"
        " FROM pg_stat_user_indexes AS one JOIN pg_stat_user_tables AS whole USING (relid)"
        " WHERE one.indexrelname = 'rules_trigrams'"
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def test_a_hundred_thousand_rules_are_searched_by_the_index(database: Database) -> None:
    known = rule("r", BODY)
    with psycopg.connect(database.as_superuser, autocommit=True) as superuser:
        superuser.execute("DROP INDEX worlds.rules_trigrams, worlds.rules_phrases")
        # The other guard, whose index takes longest to fill, is tested for itself.
        superuser.execute("ALTER TABLE worlds.world_agent_memory DISABLE TRIGGER world_agent_rule_shadow_containment")
        superuser.execute(MANY, [RULES])
        superuser.execute(
            "CREATE INDEX rules_trigrams ON worlds.rules"
            " USING gist (org_id, domain_id, body_text gist_trgm_ops (siglen = 1024))"
        )
        superuser.execute("ANALYZE worlds.rules")
        store = open_store(database.as_application, SPEC, EMBEDDING)
        with store.unit(anchor()) as unit:
            unit.rules.add([known])
        store.close()
        before = scans(superuser)
        store = open_store(database.as_application, SPEC, EMBEDDING)
        with store.unit(anchor()) as unit:
            unit.records.add(
                [Entry(record("note", body="Reasoning about rules, of more than a hundred characters. " * 2))]
            )
        with pytest.raises(ShadowsRule, match=str(known.ref.rule_id)), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("copy", body=BODY))])
        # What a session did is counted when it has ended, soon after it was closed.
        store.close()
        until = time.monotonic() + 10
        while (after := scans(superuser))[0] < before[0] + 2 and time.monotonic() < until:
            time.sleep(0.05)
    assert (after[0] - before[0], after[1] - before[1]) == (2, 0)


def test_the_plan_searches_by_anchor_and_by_trigrams(database: Database) -> None:
    with psycopg.connect(database.as_owner) as owner:
        owner.execute("SET LOCAL enable_seqscan = off")
        rows = owner.execute(
            "EXPLAIN SELECT FROM worlds.rules WHERE org_id = 'a' AND domain_id = 'b' AND body_text % 'some text'"
        ).fetchall()
    plan = " ".join(line for (line,) in rows)
    assert "Index Scan using rules_trigrams" in plan
    assert "Index Cond: ((org_id = 'a'::text) AND (domain_id = 'b'::text) AND (body_text % 'some text'::text))" in plan
