"""`lamina recall`, through the installed command."""

import subprocess
import sys
from datetime import UTC, datetime
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
        (["cat", *WHERE, "--tag", "speaker"], "--tag speaker has no value; write it as key=value"),
        (["cat", *WHERE, "--tag", "a=b", "--tag", "a=c"], "--tag a is given twice"),
        (["cat", *WHERE, "--tag", "speaker="], "tag speaker has nothing visible in it"),
        (["cat", *WHERE, "--tier", "cupboard"], "tier 'cupboard' is not known; choose one of interaction, session"),
        (["cat", *WHERE, "--typology", "nonsense"], "typology 'nonsense' is not known; choose one of episodic"),
        (["cat", *WHERE, "--since", "2024-01-01", "--until", "2023-01-01"], "is after until"),
    ],
)
def test_what_cannot_be_asked_is_said(diary: Path, arguments: list[str], says: str) -> None:
    refused = run(diary, *arguments)
    assert refused.returncode == 1
    assert says in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("option", ["--since", "--until", "--valid-at"])
def test_what_is_no_time_is_said(diary: Path, option: str) -> None:
    refused = run(diary, "cat", *WHERE, option, "yesterday")
    assert refused.returncode == 2
    assert f"Invalid value for '{option}'" in refused.stderr


@pytest.fixture
def two_years(tmp_path: Path) -> Path:
    path = tmp_path / "years.duckdb"
    with lamina.open(str(path)) as memory, memory.at(user_id="ann").session() as session:
        for year, speaker in ((2023, "Bob"), (2024, "Eve")):
            session.observe(
                f"The kiln of {year} is hot", tags={"speaker": speaker}, at=datetime(year, 5, 1, tzinfo=UTC)
            )
    return path


OF_2023, OF_2024 = "1. The kiln of 2023 is hot", "1. The kiln of 2024 is hot"


@pytest.mark.parametrize(
    ("narrowed", "first", "answers"),
    [
        (["--tag", "speaker=Bob"], OF_2023, 2),
        (["--tag", "speaker=Eve"], OF_2024, 2),
        (["--since", "2024-01-01"], OF_2024, 1),
        (["--until", "2024-05-01"], OF_2023, 1),
        (["--since", "2023-01-01T00:00:00", "--until", "2023-05-01T00:00:01"], OF_2023, 1),
        (["--valid-at", "2023-06-01"], OF_2023, 1),
        (["--tier", "interaction", "--tier", "session"], None, 0),
        (["--tier", "persistent", "--typology", "episodic", "--since", "2024-01-01"], OF_2024, 1),
        (["--typology", "semantic", "--typology", "procedural"], None, 0),
        (["--valid-at", "2024-06-01", "--as-of", "2020-01-01"], None, 0),
    ],
)
def test_it_is_narrowed_as_recall_itself_is(
    two_years: Path, narrowed: list[str], first: str | None, answers: int
) -> None:
    told = run(two_years, "is the kiln hot?", *WHERE, *narrowed)
    assert told.returncode == 0, told.stderr
    lines = [line for line in told.stdout.splitlines() if line[0].isdigit()]
    assert len(lines) == answers
    assert lines[:1] == ([first] if first else [])


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
