"""`lamina history`, through the installed command."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

import lamina

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def command(tmp_path: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        installed = Path(sys.executable).with_name("lamina")
        return subprocess.run([installed, *arguments], capture_output=True, text=True, cwd=tmp_path, check=False)

    return run


def test_history_tells_the_story_of_a_memory(tmp_path: Path, command: Run) -> None:
    path = str(tmp_path / "story.duckdb")
    with lamina.open(path, spec=lamina.WORLD_AGENT) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        first = kyc.prefer("Concise [distillations]", claim=lamina.Claim("operator 7", "style", "concise"))
        second = kyc.prefer("Long distillations", claim=lamina.Claim("operator 7", "style", "long"))
        kyc.contradict(second.id, other=first.id, note="she said otherwise")
        kyc.link_action("rule_promotion", "rule 7", [second.id])
    where = ["--spec", "world_agent", "--at", "org_id=acme", "--at", "domain_id=kyc"]
    told = command("history", path, str(first.id), *where)
    assert told.returncode == 0
    for part in (
        "Concise [distillations]",
        "persistent/procedural, superseded",
        "prefer: ADD, nothing was known of it",
        "prefer: UPDATE, 'style' of 'operator 7' has another value",
        "Long distillations",
        f"contradiction with {first.id} open: she said otherwise",
        "rule_promotion rule 7 rests on it",
    ):
        assert part in told.stdout
    for arguments, says in (
        ([str(first.id), "--spec", "world_agent", "--at", "org_id"], "--at org_id has no value; write it as key=value"),
        ([str(uuid4()), *where], "is not there; ask for a memory of this anchor"),
        (["nobody", *where], "id 'nobody' is not the id of a memory"),
    ):
        refused = command("history", path, *arguments)
        assert refused.returncode == 1
        assert says in refused.stderr
