"""`lamina verify`, on a file that somebody touched."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
from typer.testing import CliRunner

import lamina
from lamina.entrypoints.cli.app import app

WHERE = ["--spec", "chaos_agent", "--at", "agent_id=atlas"]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["verify", *arguments])
    return result.exit_code, result.output


def test_verify_says_what_was_touched(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    with lamina.open(path, spec=lamina.CHAOS_AGENT) as memory:
        for number in range(3):
            with memory.at(agent_id="atlas").do(f"task {number}") as loop:
                loop.actor_output("done")
    code, said = run(path, *WHERE)
    assert code == 0
    assert "actor: 6 events, whole" in said
    assert "subconscious: 0 events, whole" in said
    noted = re.search(r"actor:5:[0-9a-f]{64}", said)
    assert noted
    with duckdb.connect(path) as connection:
        connection.execute("DELETE FROM chaos.chaos_agent_actor_ltm")
        connection.execute("UPDATE chaos.chaos_agent_actor_events SET content = 'nothing' WHERE position = 2")
        connection.execute("DELETE FROM chaos.chaos_agent_actor_events WHERE position = 5")
    code, said = run(path, *WHERE)
    assert code == 1
    assert "changed at 2 (event" in said
    assert "missing" not in said, "the chain alone does not show that its end is gone"
    code, said = run(path, *WHERE, "--noted", noted[0])
    assert code == 1
    assert "missing at 5" in said


def test_what_is_noted_wrongly_is_said(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.duckdb")
    lamina.open(path, spec=lamina.CHAOS_AGENT).close()
    result = CliRunner().invoke(app, ["verify", path, *WHERE, "--noted", "actor:five"])
    assert "is no end of a chain" in str(result.exception)
