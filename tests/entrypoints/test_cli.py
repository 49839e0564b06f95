"""The command line, as a person uses it: through the installed command."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lamina import __version__
from lamina.domain.agents import SHIPPED
from lamina.domain.spec import AgentMemorySpec

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def lamina(tmp_path: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = Path(sys.executable).with_name("lamina")
        environment = {"COLUMNS": "110", "PATH": "", "PYTHONUTF8": "1", "HOME": str(tmp_path)}
        return subprocess.run(
            [command, *arguments], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
        )

    return run


def test_version(lamina: Run) -> None:
    assert lamina("--version").stdout == f"{__version__}\n"


def test_list_names_what_is_shipped(lamina: Run) -> None:
    listed = lamina("spec", "list").stdout
    assert all(f"{name}: " in listed for name in SHIPPED)
    assert "anchored on (org_id, domain_id); persists semantic + procedural memory" in listed


@pytest.mark.parametrize("name", SHIPPED)
def test_show_is_the_table_that_a_reviewer_reads(lamina: Run, name: str) -> None:
    shown = lamina("spec", "show", name)
    assert shown.returncode == 0
    for part in ("P1 anchor entity", "P15 visibility / access scope", "default", "explicit", "audit posture"):
        assert part in shown.stdout


def test_show_says_why_it_deviates(lamina: Run) -> None:
    assert "because: The episodic-persistent default" in lamina("spec", "show", "world_agent").stdout
    markdown = lamina("spec", "show", "world_agent", "--format", "markdown").stdout
    assert "| primitive | for | value | basis | why |" in markdown
    assert "| P7 time decay model | semantic | forcing-function" in markdown


def test_show_as_json_can_be_read_back(lamina: Run) -> None:
    shown = lamina("spec", "show", "chaos_agent", "--format", "json").stdout
    assert AgentMemorySpec.model_validate(json.loads(shown)) == SHIPPED["chaos_agent"]


def test_a_new_spec_is_begun_checked_and_shown(lamina: Run, tmp_path: Path) -> None:
    assert lamina("spec", "new", "my_bot").stdout == "my_bot.toml: edit it, then run: lamina spec check my_bot.toml\n"
    assert lamina("spec", "check", "my_bot.toml").stdout.startswith("my_bot.toml: my_bot holds together")
    assert "my_bot.my_bot_memory" in lamina("spec", "show", "my_bot.toml").stdout
    again = lamina("spec", "new", "my_bot")
    assert again.returncode == 1
    assert again.stderr == "my_bot.toml exists already; choose another name, or remove it first\n"


def test_a_bad_spec_lists_every_mistake(lamina: Run, tmp_path: Path) -> None:
    lamina("spec", "new", "my_bot")
    path = tmp_path / "my_bot.toml"
    text = path.read_text().replace('tier = "session"', 'tier = "run"').replace('owner = "my_bot"', 'owner = "My Bot"')
    path.write_text(text)
    checked = lamina("spec", "check", "my_bot.toml")
    assert checked.returncode == 1
    assert checked.stderr.startswith(
        "spec 'my_bot' has 2 mistakes:\n  - P3 tier model: tiers[1].tier 'run' is not known"
    )
    assert "P15 visibility / access scope: visibility.owner 'My Bot' is not a name" in checked.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("spec", "show", "nobody"), "spec 'nobody' is not shipped; choose one of world_agent, operations_agent"),
        (("spec", "check", "missing.toml"), "missing.toml cannot be read: No such file or directory; check the path"),
        (("spec", "check", "."), ". cannot be read: Is a directory"),
        (("spec", "new", "No Name"), "'No Name' cannot name an agent; use a-z, 0-9 and _"),
        (("spec", "new", "ok", "--to", "no/such/place.toml"), "no/such/place.toml cannot be written: No such file"),
    ],
)
def test_bad_input_is_a_sentence_not_a_stack_trace(lamina: Run, arguments: tuple[str, ...], says: str) -> None:
    result = lamina(*arguments)
    assert result.returncode == 1
    assert result.stderr.startswith(says)
    assert "Traceback" not in result.stderr


def test_a_file_that_is_not_text(lamina: Run, tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    assert lamina("spec", "check", "bytes.toml").stderr == "bytes.toml is not UTF-8; save it as UTF-8\n"


def test_the_demo_tells_its_story(lamina: Run) -> None:
    told = lamina("demo")
    assert told.returncode == 0, told.stderr
    for part in (
        "observe: ADD, observed in the interaction",
        "propose: HELD by corroborated, 1 of 2 independent corroborations",
        "the operator agrees, in the same session: HELD",
        "a test agrees, on its own: ADD",
        "propose: UPDATE, 'requires' of 'conformity gate' has another value",
        "kept: The conformity gate wants authoritative citations (invalidated)",
        "kept: The conformity gate wants signatures now (live)",
        "a copy with a few words changed: REFUSED by rule-shadow, it copies rule",
        "semantic rank 2, tags rank 1",
        "recalled at (acme, aml): []",
        'confirmed 2 times] "The conformity gate wants signatures now"',
        "out: Concise distillations: it takes 37 tokens, and 9 of the budget are left",
        "the agent repeats what it was shown: REFUSED by echo",
        'customer: - "The conformity gate wants signatures now"',
        "operator: I don't know. There is nothing in memory about reviews, overdrafts, Peru.",
        "customer wants the history: tool-subset: history is no tool of a customer",
        "audit: 5 of 5 promises hold over 3 records",
    ):
        assert part in told.stdout
    assert told.stdout == lamina("demo").stdout


def test_the_demo_plays_on_a_store_of_your_own(lamina: Run, tmp_path: Path) -> None:
    assert lamina("demo", "--store", "mine.duckdb").returncode == 0
    assert (tmp_path / "mine.duckdb").exists()
