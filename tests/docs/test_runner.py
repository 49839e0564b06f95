"""The runner of the documents notices a document that is not true."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.example import SybilFailure

EXAMPLES: Sybil = runpy.run_path(str(Path(__file__).parents[2] / "conftest.py"))["EXAMPLES"]


def run(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    examples = list(EXAMPLES.parse(page).examples())
    assert examples
    for example in examples:
        example.evaluate()


@pytest.fixture(autouse=True)
def _in_an_empty_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_is_true_passes(tmp_path: Path) -> None:
    run("```python\nname = 1 + 1\nprint(name)\n# -> 2\n```\n\n```python\nprint(name * 2)\n# -> 4\n```\n", tmp_path)
    run("```console\n$ lamina --version\n...\n$ lamina spec list\nworld_agent...\n```\n", tmp_path)
    run("```toml\n# a.toml\na = 1\nb = 2\n```\n\n```toml\n# a.toml, continued\nc = 3\n```\n", tmp_path)
    run("```diff\n--- a.toml\n-a = 1\n+a = 10\n@@\n b = 2\n+d = 4\n```\n", tmp_path)
    assert tomllib.loads(Path("a.toml").read_text("utf-8")) == {"a": 10, "b": 2, "c": 3, "d": 4}


@pytest.mark.parametrize(
    "block",
    [
        "```python\nprint(2)\n# -> 3\n```\n",
        "```python\nprint(2)\n```\n",
        "```python\nname = 2\n# -> 2\n```\n",
        "```console\n$ lamina --version\nno version\n```\n",
        "```console\n$ lamina --version\n```\n",
        "```console\nlamina --version\n```\n",
        "```diff\n--- page.md\n-not\n-there\n+whatever\n```\n",
    ],
)
def test_what_is_not_true_fails(block: str, tmp_path: Path) -> None:
    with pytest.raises(SybilFailure):
        run(block, tmp_path)


def test_code_that_fails_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        run("```python\n1 / 0\n```\n", tmp_path)
    with pytest.raises(tomllib.TOMLDecodeError):
        run("```toml\na = \n```\n", tmp_path)
    with pytest.raises(ValueError, match="only `lamina` is run"):
        run("```console\n$ rm -r .\n```\n", tmp_path)
