"""`lamina recall`, through the installed command."""

import subprocess
import sys
from pathlib import Path

import pytest

import lamina

WHERE = ["--spec", "assistant_agent", "--at", "user_id=ann"]


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    path = tmp_path / "diary.duckdb"
    with lamina.open(str(path), spec=lamina.ASSISTANT_AGENT) as memory:
        ann = memory.at(user_id="ann")
        with ann.session() as session:
            session.observe("I moved to [Lisbon] in May")
            session.observe("The cat is called Biscuit")
        (cat,) = ann.recall("what is the cat called?", 1)
        ann.archive(cat.record.id, reason="she ran away")
    return path


def run(store: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lamina")), "recall", str(store), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_recall_tells_what_answers_and_why(diary: Path) -> None:
    told = run(diary, "where did I move?", *WHERE)
    assert told.returncode == 0, told.stderr
    first, why = told.stdout.splitlines()
    assert first == "1. I moved to [Lisbon] in May"
    assert "lexical: rank 1" in why
    assert "persistent episodic, observed in session" in why
    both = run(diary, "what is the cat called?", *WHERE, "--retired", "--limit", "1")
    assert both.stdout.startswith("1. The cat is called Biscuit")
    assert run(diary, "the cat", *WHERE, "--as-of", "2020-01-01").stdout == "Nothing is remembered there.\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["", *WHERE], "query has nothing visible in it"),
        (["cat", *WHERE, "--limit", "0"], "limit is 0; give a number from 1"),
        (["cat", *WHERE, "--as-of", "2999-01-01"], "is in the future"),
        (["cat", "--spec", "assistant_agent", "--at", "user=ann"], "user"),
    ],
)
def test_what_cannot_be_asked_is_said(diary: Path, arguments: list[str], says: str) -> None:
    refused = run(diary, *arguments)
    assert refused.returncode == 1
    assert says in refused.stderr
    assert "Traceback" not in refused.stderr


def test_what_a_memory_says_is_no_command_to_the_terminal(diary: Path) -> None:
    with lamina.open(str(diary)) as memory, memory.at(user_id="ann").session() as session:
        session.observe("one\n2. forged\n   score 99 \x1b[31m :dog: \u202e end")
    told = run(diary, "forged", *WHERE, "--limit", "1")
    assert told.stdout.splitlines()[0] == r"1. one\n2. forged\n   score 99 \u001b[31m :dog: \u202e end"


@pytest.mark.parametrize("command", ["recall", "audit"])
def test_a_file_of_another_agent_stays_as_it_is(diary: Path, command: str) -> None:
    before = diary.read_bytes()
    asked = ["cat"] if command == "recall" else []
    at = ["--at", "org_id=a", "--at", "domain_id=b"]
    called = [str(Path(sys.executable).with_name("lamina")), command, str(diary), *asked, "--spec", "world_agent", *at]
    told = subprocess.run(called, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr == f"store {diary} has no memory of world_agent; check the path and the spec\n"
    assert diary.read_bytes() == before


def test_a_key_that_is_given_twice_is_named(diary: Path) -> None:
    refused = run(diary, "cat", *WHERE, "--at", "user_id=bob")
    assert refused.stderr == "--at user_id is given twice; give each key once\n"


@pytest.mark.parametrize("command", ["recall", "history", "audit", "verify"])
def test_a_mistyped_store_is_not_made(tmp_path: Path, command: str) -> None:
    asked = {"recall": ["cat"], "history": ["01a1ed9e-c99b-7cbb-8c1a-296dd5a6a25a"]}.get(command, [])
    called = [str(Path(sys.executable).with_name("lamina")), command, "nowhere.duckdb", *asked, *WHERE]
    told = subprocess.run(called, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert told.returncode == 1
    assert told.stderr == "nowhere.duckdb is not there; give the path of a store that is\n"
    assert list(tmp_path.iterdir()) == []
