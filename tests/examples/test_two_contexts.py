"""The worked example runs, and its consumer can neither import, nor query, nor connect to the memory."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Composed, Identifier, Literal

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.retrieval import EmbeddingChoice

if TYPE_CHECKING:
    from tests.conftest import Server, Template

ROOT = Path(__file__).parents[2]
EMBEDDER = HashingEmbedder()
OPERATOR = """\
operator > What does the conformity gate require?
- "The conformity gate requires citations"
operator > How are reports written?
- "As it was stated on DAY: Reports for the board are written on one page, and kept on host-3"
operator > Who audits dormant accounts?
I don't know. There is nothing in memory about audits, dormant, accounts.
"""
CUSTOMER = OPERATOR.replace("operator", "customer").replace("host-3", "<host-1>")


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "examples")
    return import_module("two_contexts.worker")


@pytest.fixture(params=["duckdb", "postgres"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "duckdb":
        yield ":memory:"
        return
    server: Server = request.getfixturevalue("postgres_server")
    template: Template = request.getfixturevalue("template")
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    database = server.database(template(lamina.WORLD_AGENT, model).name)
    yield database.url
    database.drop()


def test_both_readers_are_answered(worker: Any, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with lamina.open(url, lamina.WORLD_AGENT, EMBEDDER) as memory:
        worker.work(memory, threading.Event())
        day = f"{memory._resources.clock.now():%Y-%m-%d}"
    said = capsys.readouterr().out
    assert said == (OPERATOR + CUSTOMER).replace("DAY", day)


def lint(examples: Path) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [command, "--no-cache", "--config", str(examples / "importlinter.ini")],
        capture_output=True,
        text=True,
        cwd=examples,
        env={"PYTHONPATH": f"{examples}:{ROOT / 'src'}", "PATH": "", "PYTHONUTF8": "1"},
        check=False,
    )


def test_the_consumer_imports_nothing_of_the_memory() -> None:
    result = lint(ROOT / "examples")
    assert result.returncode == 0, result.stdout
    assert "2 kept, 0 broken" in result.stdout


@pytest.mark.parametrize("breach", ["import lamina", "import psycopg", "from two_contexts.worlds import agent"])
def test_a_breach_is_seen(tmp_path: Path, breach: str) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    chat = tmp_path / "examples" / "two_contexts" / "operations" / "chat.py"
    chat.write_text(f"{chat.read_text()}\n{breach}\n")
    result = lint(tmp_path / "examples")
    assert result.returncode != 0
    assert "The consumer reaches the memory only through what it is handed BROKEN" in result.stdout


def test_what_the_consumer_holds_leads_nowhere_else(worker: Any) -> None:
    with lamina.open(":memory:", lamina.WORLD_AGENT, EMBEDDER) as memory:
        runner = memory.at(org_id="acme", domain_id="kyc").runner("customer")
    assert [name for name in dir(runner) if not name.startswith("_")] == ["ask_world_agent", "reader", "tools", "use"]


def test_another_contexts_role_can_neither_query_nor_be_let_in(postgres_server: Server, template: Template) -> None:
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    database = postgres_server.database(template(lamina.WORLD_AGENT, model).name)
    role = f"operations_{database.name}"
    with psycopg.connect(database.as_superuser, autocommit=True) as superuser:
        create = SQL("CREATE ROLE {} LOGIN PASSWORD {}")
        superuser.execute(create.format(Identifier(role), Literal("a password for tests")))
        try:
            _is_shut_out(database.as_role(role), superuser)
        finally:
            superuser.execute(SQL("DROP OWNED BY {}").format(Identifier(role)))
            superuser.execute(SQL("DROP ROLE {}").format(Identifier(role)))
    database.drop()


def _is_shut_out(url: str, superuser: psycopg.Connection[Any]) -> None:
    rows = superuser.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'worlds'::regnamespace AND relkind IN ('r', 'v', 'p')"
    )
    tables = [name for (name,) in rows]
    assert len(tables) > 10
    # Not even the functions that run as their owner.
    asked: list[SQL | Composed] = [SQL("SELECT * FROM worlds.{}").format(Identifier(name)) for name in tables]
    asked += [SQL("SELECT worlds.world_agent_most_held_rule('x')"), SQL("SELECT worlds.world_agent_mark_indexed(1)")]
    with psycopg.connect(url, autocommit=True) as consumer:
        for statement in asked:
            with pytest.raises(InsufficientPrivilege):
                consumer.execute(statement)
