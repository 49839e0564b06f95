"""The command line on a real Postgres: migrate as the owner, play the demo as the application's role."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Database


def lamina(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("lamina")
    return subprocess.run([command, *arguments], capture_output=True, text=True, check=False)


def test_migrate_and_play(empty_database: Database) -> None:
    owner, role = empty_database.url_as(empty_database.server.owner), empty_database.server.application
    before = lamina("demo", "--store", empty_database.url)
    assert before.returncode == 1
    assert "schema worlds.world_agent is not there; run `lamina migrate`" in before.stderr
    for _ in range(2):
        done = lamina("migrate", owner, "--spec", "world_agent", "--create-canonical", "--grant-to", role)
        assert (done.returncode, done.stdout) == (0, "the store is ready for world_agent\n"), done.stderr
    on_postgres, on_duckdb = lamina("demo", "--store", empty_database.url), lamina("demo")
    assert on_postgres.returncode == 0, on_postgres.stderr
    assert on_postgres.stdout == on_duckdb.stdout, "a user cannot tell the stores apart"


def test_a_server_that_is_not_there() -> None:
    down = lamina("demo", "--store", "postgresql://nobody@127.0.0.1:1/none?connect_timeout=2")
    assert down.returncode == 1
    assert down.stderr.startswith("server 127.0.0.1, database none cannot be reached: connection to server at")
    assert "Connection refused; check that the server runs" in down.stderr
