"""The table that rules live in: shared by agents, and perhaps made by somebody else."""

from pathlib import Path

import duckdb
import pytest

from lamina.adapters.duckdb.store import open_store
from lamina.domain.errors import SchemaMismatch
from lamina.domain.spec import AgentMemorySpec
from lamina.testing.samples import EMBEDDING, SPEC, anchor, rule


def sharing(**columns: str) -> AgentMemorySpec:
    """Another agent with the same canonical table, whose columns may be called otherwise."""
    assert SPEC.persistence.canonical is not None
    canonical = SPEC.persistence.canonical.model_copy(update=columns)
    persistence = SPEC.persistence.model_copy(update={"prefix": "other_agent", "canonical": canonical})
    return SPEC.model_copy(update={"persistence": persistence})


def test_two_agents_may_share_their_rules(tmp_path: Path) -> None:
    one, other = (open_store(str(tmp_path / "memory.duckdb"), spec, EMBEDDING) for spec in (SPEC, sharing()))
    known = rule("r", "The gate counts two citations for every figure of a report, " + "however small it is. " * 3)
    with one.unit(anchor()) as unit:
        assert unit.rules.copied_by([known.body]) == [None]
    with other.unit(anchor()) as unit:
        unit.rules.add([known])
    with one.unit(anchor()) as unit:
        assert unit.rules.get([known.ref]) == [known]
        assert unit.rules.copied_by([known.body]) == [(known.ref, 1.0)]
    one.close()
    other.close()


def test_a_canonical_table_of_other_columns_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    store = open_store(path, SPEC, EMBEDDING)
    said = r"canonical table worlds.rules is there with the columns .*, not .*wording.*; name those that it has in"
    with pytest.raises(SchemaMismatch, match=said):
        open_store(path, sharing(body_column="wording"), EMBEDDING)
    store.close()


def test_a_canonical_table_may_be_written_with_capitals(tmp_path: Path) -> None:
    """DuckDB takes them for the same names."""
    path, other = str(tmp_path / "memory.duckdb"), str(tmp_path / "other.duckdb")
    key = "Org_id VARCHAR, domain_ID VARCHAR, RULE_id UUID, World_Version VARCHAR"
    for each, body in ((path, "BODY_text"), (other, "Wording")):
        with duckdb.connect(each) as connection:
            connection.execute("CREATE SCHEMA Worlds")
            connection.execute(
                f"CREATE TABLE Worlds.RULES ({key}, {body} VARCHAR,"
                " PRIMARY KEY (org_id, domain_id, rule_id, world_version))"
            )
    store = open_store(path, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", "Cite sources.")])
    store.close()
    with pytest.raises(SchemaMismatch, match="canonical table worlds.rules is there with the columns .*wording"):
        open_store(other, SPEC, EMBEDDING)
