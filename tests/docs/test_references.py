"""The references of errors and of the command line are those of the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from lamina.domain import errors
from lamina.entrypoints.cli.app import app

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def _commands(command: Any, name: str = "lamina") -> Iterator[str]:
    """Each command as it is typed, and each of its options."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            name = f"{name} {parameter.name.upper()}"
        elif parameter.name != "help":
            yield parameter.opts[-1]
    parts: dict[str, Any] = getattr(command, "commands", {})
    if not parts:
        yield name
    for part, inner in parts.items():
        yield from _commands(inner, f"{name} {part}")


def test_the_tree_of_errors_is_the_one_in_the_code() -> None:
    tree = (errors.__doc__ or "").split("\n\n")[1]
    documented = (REFERENCE / "errors.md").read_text("utf-8").partition("```text\n")[2].partition("\n```")[0]
    assert documented == tree, "copy the tree from lamina/domain/errors.py to docs/reference/errors.md"


def test_every_command_and_option_is_documented() -> None:
    documented = (REFERENCE / "cli.md").read_text("utf-8")
    typed = list(_commands(typer.main.get_command(app)))
    assert len(typed) > 5
    assert [one for one in typed if f"`{one}`" not in documented and f"`lamina {one}`" not in documented] == []


def test_each_decision_lives_where_the_table_says() -> None:
    source = Path(__file__).parents[2] / "src" / "lamina"
    folders = (source, source / "adapters" / "postgres", source / "adapters" / "duckdb")
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in (REFERENCE / "decisions.md").read_text("utf-8").splitlines()
        if line.startswith("| D")
    ]
    assert [row[0].split()[0] for row in rows] == [f"D{number}" for number in range(1, 16)]
    named = [
        folder / path.strip("` ")
        for row in rows
        for folder, cell in zip(folders, row[1:], strict=True)
        for path in cell.split(",")
        if path
    ]
    assert len(named) > 30
    assert [str(path) for path in named if not path.exists()] == []
