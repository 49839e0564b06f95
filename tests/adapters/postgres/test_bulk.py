"""Many rows at once go by COPY: the same refusals, and the row that was refused is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from lamina.adapters.postgres.row_writer import FEW
from lamina.adapters.postgres.store import PostgresStore, open_store
from lamina.domain.claim import Claim
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.errors import DuplicateId, OverlappingClaims, ShadowsRule, UnknownRecord
from lamina.domain.ids import DecisionId
from lamina.domain.outcome import Decision, Outcome
from lamina.ports.records import Entry
from lamina.testing.contracts.canonical_rules import BODY
from lamina.testing.contracts.provenance import corroboration
from lamina.testing.samples import EMBEDDING, SPEC, START, anchor, entry, record, rule, uuid

if TYPE_CHECKING:
    from tests.conftest import Database

MANY = [entry(record(f"fact {number}"), 1, number) for number in range(3 * FEW)]


@pytest.fixture
def store(database: Database) -> Iterator[PostgresStore]:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    yield store
    store.close()


def written(store: PostgresStore) -> int:
    with store.unit(anchor()) as unit:
        return len(unit.records.get([one.record.id for one in MANY]))


def test_the_id_that_is_taken_is_named(store: PostgresStore) -> None:
    with store.unit(anchor()) as unit:
        unit.records.add([MANY[7]])
    with pytest.raises(DuplicateId, match=f"^id {MANY[7].record.id} is taken"), store.unit(anchor()) as unit:
        unit.records.add(MANY)
    assert written(store) == 1


def test_an_id_that_comes_twice_is_named(store: PostgresStore) -> None:
    with pytest.raises(DuplicateId, match=f"^id {MANY[7].record.id} is taken"), store.unit(anchor()) as unit:
        unit.records.add([*MANY, MANY[7]])
    assert written(store) == 0


def test_one_and_the_same_again_and_again_is_named(store: PostgresStore) -> None:
    for several in ([MANY[7]] * 30, [replace(MANY[7], lexemes=[str(number)]) for number in range(30)]):
        with pytest.raises(DuplicateId, match=f"^id {MANY[7].record.id} is taken"), store.unit(anchor()) as unit:
            unit.records.add(several)
    assert written(store) == 0


def test_a_copy_of_a_rule_among_many_is_refused(store: PostgresStore) -> None:
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", BODY)])
    with pytest.raises(ShadowsRule, match=f"record {uuid('copy')}"), store.unit(anchor()) as unit:
        unit.records.add([*MANY, Entry(record("copy", body=BODY))])
    assert written(store) == 0


def test_claims_that_overlap_among_many_are_refused(store: PostgresStore) -> None:
    claims = [Entry(record(name, claim=Claim("gate", "is", name))) for name in ("open", "shut")]
    with pytest.raises(OverlappingClaims, match="gate"), store.unit(anchor()) as unit:
        unit.records.add([*MANY, *claims])
    assert written(store) == 0


def test_two_batches_in_one_unit(store: PostgresStore) -> None:
    with store.unit(anchor()) as unit:
        unit.records.add(MANY[: FEW + 5])
        unit.records.add(MANY[FEW + 5 :])
    assert written(store) == len(MANY)


def test_many_corroborations_and_decisions(store: PostgresStore) -> None:
    ids = tuple(one.record.id for one in MANY)
    with store.unit(anchor()) as unit:
        unit.records.add(MANY)
        unit.corroborations.add([corroboration(f"c {n}", ids[0]) for n in range(2 * FEW)])
        unit.decisions.add([DecisionEntry(DecisionId(uuid("d")), "observe", START, Outcome(Decision.ADD, ids, "seen"))])
    with store.unit(anchor()) as unit:
        assert len(unit.corroborations.of(ids[0])) == 2 * FEW
        assert [one.outcome.ids for one in unit.decisions.about(ids[3])] == [ids]
    with pytest.raises(UnknownRecord), store.unit(anchor()) as unit:
        unit.corroborations.add([corroboration(f"d {n}", record("nowhere").id) for n in range(2 * FEW)])
