"""Runs the documents: each Markdown file is one test, and its examples run in order in one empty directory.

- ```python   runs, and prints what stands behind `# ->`; the names that it defines are there for the next block.
- ```console  each `$ lamina ...` runs, and prints what stands beneath it; `...` stands for anything.
- ```toml     is TOML; with `# name.toml` as its first line it is also written to that file, and with
              `# name.toml, continued` it is added to it.
- ```diff     is applied to the file that its first line names, `--- name.toml`; `@@` parts one change from the next.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from doctest import ELLIPSIS
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import structlog
from sybil import Example, Sybil
from sybil.evaluators.doctest import OutputChecker
from sybil.evaluators.python import PythonEvaluator
from sybil.example import SybilFailure
from sybil.parsers.markdown import CodeBlockParser

SCREEN = {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}


def python(example: Example) -> str | None:
    """Runs the code as it stands."""
    with redirect_stdout(StringIO()) as printed:
        PythonEvaluator()(example)
    lines = [line.strip() for line in example.parsed.splitlines()]
    expected = "\n".join(line[5:] for line in lines if line.startswith("# -> "))
    return _difference("the code", expected, printed.getvalue())


def console(example: Example) -> str | None:
    """Runs each command as a reader would."""
    _, *exchanges = f"\n{example.parsed}".split("\n$ ")
    for exchange in exchanges:
        command, _, expected = exchange.partition("\n")
        different = _difference(f"$ {command}", expected, _run(command))
        if different:
            return different
    return None if exchanges else "a console block needs a line that starts with '$ '"


def _difference(what: str, expected: str, printed: str) -> str | None:
    if OutputChecker().check_output(f"{expected.rstrip()}\n", f"{printed.rstrip()}\n", ELLIPSIS):
        return None
    return f"{what} is said to print:\n{expected}\nbut prints:\n{printed}"


def _run(command: str) -> str:
    program, *arguments = shlex.split(command)
    if program != "lamina":
        raise ValueError(f"only `lamina` is run from a console block, not {program!r}")
    return subprocess.run(  # noqa: S603
        [Path(sys.executable).with_name(program), *arguments],
        env={**os.environ, **SCREEN},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


def toml(example: Example) -> None:
    """Reads it, and keeps it if it names a file."""
    tomllib.loads(example.parsed)
    first = re.match(r"# (\w+\.toml)(, continued)?\n", example.parsed)
    if first:
        with Path(first[1]).open("a" if first[2] else "w", encoding="utf-8") as file:
            file.write(example.parsed)


def diff(example: Example) -> str | None:
    """Applies a change. What it takes away, with the lines around it, must be there exactly once."""
    first, *lines = example.parsed.splitlines()
    path = Path(first.removeprefix("--- "))
    text = path.read_text(encoding="utf-8")
    for hunk in "\n".join(lines).split("\n@@\n"):
        before = "\n".join(line[1:] for line in hunk.splitlines() if not line.startswith("+"))
        after = "\n".join(line[1:] for line in hunk.splitlines() if not line.startswith("-"))
        if text.count(before) != 1:
            return f"{path} has {text.count(before)} times:\n{before}"
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")
    return None


EXAMPLES = Sybil(
    parsers=[
        CodeBlockParser("python", python),
        CodeBlockParser("console", console),
        CodeBlockParser("toml", toml),
        CodeBlockParser("diff", diff),
    ],
    pattern="*.md",
)


class Document(pytest.File):
    """A Markdown file. It is one test, so that its examples stay together however tests are spread over workers."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test, if there is anything to run."""
        if list(EXAMPLES.parse(self.path).examples()):
            yield Examples.from_parent(self, name="examples")


class Examples(pytest.Item):
    """All examples of one document."""

    def runtest(self) -> None:
        """Runs them in the order in which they are read, as a reader's own process does: nobody has set up logging."""
        structlog.reset_defaults()
        with TemporaryDirectory() as directory, chdir(directory):
            for example in EXAMPLES.parse(self.path).examples():
                example.evaluate()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What a document says, and what is so; a stack trace only where the code itself failed."""
        return str(excinfo.value) if isinstance(excinfo.value, SybilFailure) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """What a failure is called."""
        return self.path, 0, f"the examples of {self.path.name}"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Document | None:
    """Takes Markdown files."""
    return Document.from_parent(parent, path=file_path) if EXAMPLES.should_parse(file_path) else None
