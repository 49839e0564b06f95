"""Where the command line writes to: a stream of few characters, a full disk, a reader who leaves. No stack trace."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lamina

COMMANDS = ["recall", "history", "audit", "audit --json", "spec show", "spec show --format json", "demo", "bench"]
FULL = Path("/dev/full")
ASCII = {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
LATIN = {"PYTHONIOENCODING": "latin-1"}
CONVERSATION = """[{"conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1":
    [{"speaker": "Ann", "dia_id": "D1:1", "text": "The kiln is hot \U0001f525"}]},
    "qa": [{"question": "What is hot?", "evidence": ["D1:1"], "category": 4}]}]"""


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What each command is called with, on a memory of more characters than some streams have."""
    folder = tmp_path_factory.mktemp("diary")
    (folder / "locomo.json").write_text(CONVERSATION, encoding="utf-8")
    path = str(folder / "diary.duckdb")
    with lamina.open(path, spec=lamina.ASSISTANT_AGENT) as memory:
        ann = memory.at(user_id="ann")
        with ann.session() as session:
            for number in range(100):
                session.observe(f"The kiln is hot \U0001f525 for the {number}. time: " + "on and on " * 30)
        (kiln,) = ann.recall("what is hot?", 1)
    spec, at = ["--spec", "assistant_agent"], ["--at", "user_id=ann"]
    return {
        "recall": ["recall", path, "what is hot?", *spec, *at, "--limit", "100"],
        "history": ["history", path, str(kiln.record.id), *spec, *at],
        "audit": ["audit", path, *spec],
        "audit --json": ["audit", path, *spec, "--json"],
        "spec show": ["spec", "show", "world_agent"],
        "spec show --format json": ["spec", "show", "world_agent", "--format", "json"],
        "demo": ["demo"],
        "bench": ["bench", "locomo", str(folder / "locomo.json"), "--embedder", "hashing"],
    }


def run(arguments: list[str], output: int, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    command = [str(Path(sys.executable).with_name("lamina")), *arguments]
    return subprocess.run(
        command, stdout=output, stderr=subprocess.PIPE, env={**os.environ, **environment}, check=False
    )


@pytest.mark.parametrize("environment", [ASCII, LATIN], ids=["ascii", "latin-1"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_character_that_a_stream_has_not_is_escaped(
    diary: dict[str, list[str]], command: str, environment: dict[str, str]
) -> None:
    told = run(diary[command], subprocess.PIPE, environment)
    assert told.returncode == 0, told.stderr
    if command in ("recall", "history"):
        assert rb"The kiln is hot \U0001f525 for" in told.stdout


def test_json_stays_json_on_a_stream_of_few_characters(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.toml"
    command = str(Path(sys.executable).with_name("lamina"))
    subprocess.run([command, "spec", "new", "my_bot", "--to", str(path)], check=True, stdout=subprocess.DEVNULL)
    begun = path.read_text(encoding="utf-8")
    path.write_text(re.sub('purpose = ".*"', 'purpose = "Na\u00efve \U0001f525"', begun), encoding="utf-8")
    told = run(["spec", "show", str(path), "--format", "json"], subprocess.PIPE, LATIN)
    assert json.loads(told.stdout)["purpose"] == "Na\u00efve \U0001f525"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_said(diary: dict[str, list[str]], command: str) -> None:
    with FULL.open("wb") as full:
        told = run(diary[command], full.fileno(), {})
    assert told.returncode == 1
    said = "standard output cannot be written: No space left on device; make room for it, or send it elsewhere\n"
    assert told.stderr.decode().endswith(said)
    assert b"Traceback" not in told.stderr
    assert b"ignored" not in told.stderr


def test_an_error_is_said_without_standard_output() -> None:
    command = [str(Path(sys.executable).with_name("lamina")), "spec", "show", "nobody"]
    closed = ["/bin/sh", "-c", 'exec "$0" "$@" >&-', *command]
    said = subprocess.run(closed, stderr=subprocess.PIPE, text=True, check=False)
    assert said.returncode == 1
    assert said.stderr.startswith("spec 'nobody' is not shipped")
    assert "Traceback" not in said.stderr


@pytest.mark.parametrize("command", ["recall", "audit --json"])
def test_a_reader_who_leaves_is_no_mistake(diary: dict[str, list[str]], command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        told = run(diary[command], writing, {})
    finally:
        os.close(writing)
    said = told.stderr.decode().splitlines()
    assert [line for line in said if not line.startswith(("writing", "asking"))] == []
