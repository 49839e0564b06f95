"""What is DuckDB's own: one process, crashes, files that are not ours."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from lamina.adapters.duckdb import records
from lamina.adapters.duckdb.migrate import migrations
from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.open_file import MEMORY
from lamina.adapters.duckdb.records import DuckDBRecords
from lamina.adapters.duckdb.store import open_store
from lamina.domain.agents import ASSISTANT_AGENT, OPERATIONS_AGENT, SHIPPED
from lamina.domain.errors import KeptForGood, SchemaMismatch, StoreError, UnknownRecord, UnknownRule, WrongModel
from lamina.domain.ids import SessionId
from lamina.domain.record import MemoryRecord
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.scope import SessionScope
from lamina.domain.selection import Selection
from lamina.domain.spec import AgentMemorySpec
from lamina.testing.contracts.contradictions import contradiction
from lamina.testing.contracts.provenance import corroboration
from lamina.testing.contracts.scope_cleanup import episode
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record, rule, uuid

WRITER = """
import sys
from lamina.adapters.duckdb.store import open_store
from lamina.testing.contracts.provenance import corroboration
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record
store = open_store(sys.argv[1], SPEC, EMBEDDING)
number = 0
while True:
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(f"fact {number}"), 1, number)])
    print(number, flush=True)
    number += 1
"""


@pytest.mark.parametrize("spec", SHIPPED.values(), ids=list(SHIPPED))
def test_every_shipped_spec_has_a_store(spec: AgentMemorySpec) -> None:
    store = open_store(MEMORY, spec, EMBEDDING)
    store.close()


def test_two_agents_share_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    for spec in (SPEC, ASSISTANT_AGENT, OPERATIONS_AGENT, SPEC):
        open_store(path, spec, EMBEDDING).close()


def test_memory_survives_closing(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "er" / "memory.duckdb")
    store = open_store(path, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("a"), 1)])
    store.close()
    again = open_store(path, SPEC, EMBEDDING)
    with again.unit(anchor()) as unit:
        assert unit.records.get([record("a").id])
    again.close()


def test_a_second_process_is_told_who_holds_the_file(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    store = open_store(path, SPEC, EMBEDDING)
    script = WRITER.replace("number = 0", "raise SystemExit")
    second = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=False)
    store.close()
    assert f"StoreInUse: {path} is held by process {os.getpid()}; work in that process" in second.stderr
    assert "work on a copy that `lamina snapshot` makes, or use Postgres" in second.stderr


def test_another_model_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    open_store(path, SPEC, EMBEDDING).close()
    said = r"has vectors of sample \(4 numbers\), not of other \(4\); open it with that model, or run `lamina reembed`"
    with pytest.raises(WrongModel, match=said):
        open_store(path, SPEC, EmbeddingChoice(model="other", dimension=4))


def test_a_changed_migration_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    open_store(path, SPEC, EMBEDDING).close()
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE lamina_migrations SET checksum = 'x' WHERE name LIKE '0001%'")
    with pytest.raises(SchemaMismatch, match="was made by another spec or version"):
        open_store(path, SPEC, EMBEDDING)


def test_an_older_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    first, second, *_ = migrations(Names.of(SPEC))
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE lamina_migrations (agent VARCHAR, name VARCHAR, checksum VARCHAR)")
        connection.execute(first.sql)
        connection.execute(
            "INSERT INTO lamina_migrations VALUES ('worlds.world_agent', ?, ?)", [first.name, first.checksum]
        )
    store = open_store(path, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", "Cite sources.")])
    store.close()
    assert second.name.startswith("0002")


def test_a_spec_without_corroborations_keeps_none() -> None:
    store = open_store(MEMORY, OPERATIONS_AGENT, EMBEDDING)
    whose = OPERATIONS_AGENT.persistent_anchor.bind({"operator_id": 7})
    with pytest.raises(StoreError, match="corroborations are not kept by this spec"), store.unit(whose) as unit:
        assert unit.corroborations.of(record("a").id) == []
        unit.corroborations.add([corroboration("c", record("a").id)])
    store.close()


def test_a_spec_without_contradictions_keeps_none() -> None:
    kept = ASSISTANT_AGENT.persistence.model_copy(update={"contradictions": False})
    store = open_store(MEMORY, ASSISTANT_AGENT.model_copy(update={"persistence": kept}), EMBEDDING)
    whose = ASSISTANT_AGENT.persistent_anchor.bind({"user_id": "u"})
    one = contradiction("c", record("a").id, record("b").id)
    with store.unit(whose) as unit:
        assert unit.contradictions.of(record("a").id) == []
        assert unit.contradictions.get(one.id) is None
        assert unit.contradictions.with_status(one.status, limit=9) == []
        assert unit.scope_cleanup.contents(SessionScope(whose, SessionId(uuid("session")))) == []
    with pytest.raises(StoreError, match="contradictions are not kept by this spec"), store.unit(whose) as unit:
        unit.contradictions.add([one])
    with pytest.raises(StoreError, match="contradictions are not kept by this spec"), store.unit(whose) as unit:
        unit.contradictions.move(one)
    store.close()


def test_a_rule_cannot_be_contradicted_where_there_are_none() -> None:
    assert ASSISTANT_AGENT.persistence.canonical is None
    store = open_store(MEMORY, ASSISTANT_AGENT, EMBEDDING)
    whose = ASSISTANT_AGENT.persistent_anchor.bind({"user_id": "u"})
    with store.unit(whose) as unit:
        unit.records.add([entry(record("a", whose), 1), entry(record("b", whose), 1)])
        unit.contradictions.add([contradiction("c", record("a").id, record("b").id)])
    with pytest.raises(UnknownRule, match="names no canonical table"), store.unit(whose) as unit:
        unit.contradictions.add([contradiction("d", record("a").id, rule("r", "Cite sources.").ref)])
    store.close()


def test_a_rule_is_told_from_a_record_whatever_its_columns_are_called() -> None:
    assert SPEC.persistence.canonical is not None
    canonical = SPEC.persistence.canonical.model_copy(update={"version_column": "revision"})
    persistence = SPEC.persistence.model_copy(update={"canonical": canonical})
    store = open_store(MEMORY, SPEC.model_copy(update={"persistence": persistence}), EMBEDDING)
    whose, known = anchor('quo", id: "te'), rule("r", "Cite sources.")
    with pytest.raises(UnknownRecord), store.unit(whose) as unit:
        unit.rules.add([known])
        unit.rule_references.add(record("a").id, [known.ref])
    with pytest.raises(UnknownRule), store.unit(whose) as unit:
        unit.records.add([entry(record("a", whose), 1)])
        unit.rule_references.add(record("a").id, [known.ref])
    store.close()


def test_a_foreign_key_keeps_what_was_not_detached() -> None:
    store = open_store(MEMORY, SPEC, EMBEDDING)
    seen = episode("seen")
    with store.unit(anchor()) as unit:
        unit.records.add([entry(seen, 1)])
    with pytest.raises(KeptForGood, match=str(seen.id)), store.unit(anchor()) as unit:
        unit.scope_cleanup.remove([seen.id])
    store.close()


def test_a_spec_without_a_canonical_table_has_no_rules() -> None:
    store = open_store(MEMORY, ASSISTANT_AGENT, EMBEDDING)
    whose = ASSISTANT_AGENT.persistent_anchor.bind({"user_id": "u"})
    with pytest.raises(UnknownRule, match="name a canonical table"), store.unit(whose) as unit:
        assert unit.rules.closest("x" * 200) is None
        unit.rules.add([rule("r", "Cite sources.")])
    store.close()


def test_a_small_anchor_that_is_searched_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To read ten records anew takes longer than a search, and whoever searches comes again."""
    path, ids = str(tmp_path / "memory.duckdb"), {name: record(name).id for name in ("a", "b", "c", "d", "nowhere")}
    store = open_store(path, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(name), 1) for name in "abc"])
    store.close()
    read: list[str] = []
    select = DuckDBRecords._select

    def reading(self: DuckDBRecords, condition: str, parameters: Sequence[Any]) -> list[MemoryRecord]:
        read.append(condition.partition(" ")[0])
        return select(self, condition, parameters)

    monkeypatch.setattr(DuckDBRecords, "_select", reading)
    store = open_store(path, SPEC, EMBEDDING)
    with store.reading(anchor()) as unit:
        assert set(unit.records.get([ids["a"]])) == {ids["a"]}
        unit.candidates.newest(Selection(), 1)
        assert set(unit.records.get([ids["b"], ids["nowhere"]])) == {ids["b"]}
        assert set(unit.records.get([ids["c"]])) == {ids["c"]}
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record("d"), 1)])
        assert list(unit.records.get([ids[name] for name in "dcba"])) == [ids[name] for name in "dcba"]
        assert unit.records.get([ids["nowhere"]]) == {}
    store.close()
    asked = [one for one in read if one in ("id", "tombstoned_at")]
    assert asked == ["id", "tombstoned_at", "id", "id"], "one, then all, and each time what is not there"


def test_what_does_not_fit_into_one_read_is_read_by_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, ids = str(tmp_path / "memory.duckdb"), [record(name).id for name in "abcdef"]
    store = open_store(path, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.records.add([entry(record(name), 1) for name in "abcdef"])
    store.close()
    monkeypatch.setattr(records, "MOST_RECORDS", 2)
    store = open_store(path, SPEC, EMBEDDING)
    with store.reading(anchor()) as unit:
        unit.candidates.newest(Selection(), 1)
        assert list(unit.records.get(ids)) == ids
    store.close()
