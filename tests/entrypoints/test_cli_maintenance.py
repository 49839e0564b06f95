"""`lamina dream` and `lamina audit`, through the installed command."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

import lamina
from lamina.domain.transitions import archive
from lamina.ports.records import Entry
from lamina.testing.samples import record

Run = Callable[..., subprocess.CompletedProcess[str]]
WHERE = ["--spec", "world_agent"]


class LongAgo:
    def now(self) -> datetime:
        return datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def command(tmp_path: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        installed = Path(sys.executable).with_name("lamina")
        return subprocess.run([installed, *arguments], capture_output=True, text=True, cwd=tmp_path, check=False)

    return run


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A memory in which a process died, and in which a fact has grown old."""
    path = str(tmp_path / "old.duckdb")
    with lamina.open(path, spec=lamina.WORLD_AGENT, clock=LongAgo()) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        session = kyc.session()
        seen = session.observe("The gate [refused] a proposal")
        session.observe("Nobody needs this")
        held = session.propose("The gate wants citations", because=[seen.id])
        kyc.corroborate(held.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4())).require()
        for _ in range(3):
            source = lamina.Source(lamina.SourceType.OPERATOR_INPUT, uuid4())
            memory.at(org_id="acme", domain_id="kyc").corroborate(held.id, source, outcome="failed")
    return path


@pytest.mark.parametrize("hours", ["1e12", "inf"])
def test_hours_that_lead_back_before_all_dates_are_named(command: Run, hours: str) -> None:
    told = command("dream", "new.duckdb", *WHERE, "--abandoned-after", hours)
    assert told.returncode == 1
    assert told.stderr.startswith("--abandoned-after is")
    assert "Traceback" not in told.stderr


def test_dreaming_tells_what_moved_and_why(store: str, command: Run) -> None:
    told = command("dream", store, *WHERE)
    assert told.returncode == 0, told.stderr
    assert "1 anchors, 1 records reviewed, 1 sessions closed, 0 rows indexed" in told.stdout
    assert "archived: 1\n" in told.stdout
    assert "(org_id=acme, domain_id=kyc): 3 corroborations in a row failed" in told.stdout
    assert "dropped: 2\n" in told.stdout
    again = command("dream", store, *WHERE, "--at", "org_id=acme", "--at", "domain_id=kyc")
    assert again.stdout == "1 anchors, 0 records reviewed, 0 sessions closed, 0 rows indexed\n"


def test_auditing_tells_what_to_look_at(store: str, command: Run) -> None:
    told = command("audit", store, *WHERE)
    assert told.returncode == 0, told.stderr
    assert "1 anchors, 1 persistent records: 1 persistent/semantic" in told.stdout
    assert "retention: 1 ACTIVE" in told.stdout
    assert "every record was decided on: holds" in told.stdout
    assert "stale claim: 1\n" in told.stdout
    data = json.loads(command("audit", store, *WHERE, "--json").stdout)
    assert all(data["promises"].values())
    assert data["concerns"]["stale claim"] == 1
    assert data["examples"][0]["anchor"] == {"org_id": "acme", "domain_id": "kyc"}


def test_a_broken_promise_ends_with_1(store: str, command: Run) -> None:
    with lamina.open(store, spec=lamina.WORLD_AGENT) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        smuggled = record("smuggled", kyc.anchor)
        with kyc._resources.store.unit(kyc.anchor) as unit:
            unit.records.add([Entry(smuggled)])
            put_away = archive(smuggled, smuggled.recorded_at, "quietly")
            assert isinstance(put_away, lamina.MemoryRecord)
            unit.records.change(put_away)
    told = command("audit", store, *WHERE, "--at", "org_id=acme", "--at", "domain_id=kyc")
    assert told.returncode == 1
    assert "every record was decided on: broken 1 times" in told.stdout
    assert f"{smuggled.id} (org_id=acme, domain_id=kyc): no decision speaks of it" in told.stdout


def test_an_anchor_that_cannot_be_read_is_said(store: str, command: Run) -> None:
    told = command("audit", store, *WHERE, "--at", "org_id")
    assert told.returncode == 1
    assert "write it as key=value" in told.stderr
