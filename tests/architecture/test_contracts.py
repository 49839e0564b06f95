"""Each import contract fails on a deliberate breach: a contract that cannot fail protects nothing."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def lint(copy: Path) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [command, "--no-cache", "--config", str(copy / "pyproject.toml")],
        capture_output=True,
        text=True,
        cwd=copy / "src",
        # The copy is linted, not the package that is installed.
        env={"PYTHONPATH": str(copy / "src"), "PATH": "", "PYTHONUTF8": "1"},
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_are_kept(copy: Path) -> None:
    result = lint(copy)
    assert result.returncode == 0, result.stdout


BREACHES = [
    ("domain/tier.py", "from lamina.ports import __doc__", "Each layer knows only what lies beneath it BROKEN"),
    ("ports/__init__.py", "import lamina.application", "Each layer knows only what lies beneath it BROKEN"),
    ("application/__init__.py", "import lamina.adapters.toml", "Each layer knows only what lies beneath it BROKEN"),
    ("adapters/toml/spec_files.py", "import lamina.composition", "Each layer knows only what lies beneath it BROKEN"),
    ("composition/__init__.py", "import lamina.testing", "Each layer knows only what lies beneath it BROKEN"),
    ("testing/__init__.py", "import lamina.entrypoints", "Each layer knows only what lies beneath it BROKEN"),
    ("utils.py", "", "Each layer knows only what lies beneath it BROKEN"),
    ("adapters/other/__init__.py", "import lamina.adapters.toml", "Adapters know nothing of one another BROKEN"),
    ("domain/tier.py", "import duckdb", "The core does no I/O: no clock, no driver, no framework BROKEN"),
    ("domain/tier.py", "import os", "The core does no I/O: no clock, no driver, no framework BROKEN"),
    ("application/__init__.py", "import time", "The core does no I/O: no clock, no driver, no framework BROKEN"),
    ("ports/__init__.py", "import numpy", "The core does no I/O: no clock, no driver, no framework BROKEN"),
    ("composition/__init__.py", "import duckdb", "A driver is known only to its own adapter BROKEN"),
    ("adapters/duckdb/__init__.py", "import psycopg", "The drivers of Postgres are known only to its adapter BROKEN"),
    ("adapters/toml/__init__.py", "import dependency_injector", "Only the composition root knows the container BROKEN"),
]


@pytest.mark.parametrize(("file", "line", "says"), BREACHES, ids=[f"{file}: {line}" for file, line, _ in BREACHES])
def test_a_breach_is_seen(copy: Path, file: str, line: str, says: str) -> None:
    path = copy / "src" / "lamina" / file
    path.parent.mkdir(exist_ok=True)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(f"{before}\n{line}\n", encoding="utf-8")
    result = lint(copy)
    assert result.returncode == 1
    assert says in result.stdout


@pytest.mark.parametrize(
    ("layer", "line"),
    [
        ("domain", "from datetime import UTC, datetime\n\nNOW = datetime.now(UTC)\n"),
        ("application", "from uuid import uuid4\n\nID = uuid4()\n"),
        ("ports", "import random\n\nDRAW = random.random()\n"),
    ],
)
def test_the_clock_and_chance_are_banned_where_they_are_arguments(layer: str, line: str) -> None:
    result = subprocess.run(
        [Path(sys.executable).with_name("ruff"), "check", "--stdin-filename", f"src/lamina/{layer}/breach.py", "-"],
        input=line,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert "TID251" in result.stdout
