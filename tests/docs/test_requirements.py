"""The page of requirements names code and tests that exist, and has every primitive and every decision."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "requirements.md"
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| requirement", "| decision"))
]
NAMES = sorted({name for row in ROWS for cell in row[1:] for name in re.findall(r"`([^`]+)`", cell)})


def test_there_is_a_row_for_much() -> None:
    assert len(ROWS) >= 100
    assert all(len(row) == 3 and all(row) for row in ROWS)
    assert all("`" in row[1] and "`" in row[2] for row in ROWS)


def test_every_primitive_and_every_decision_has_rows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [int(number) for number in re.findall(r"^### (\d+)\. ", text, re.MULTILINE)] == list(range(1, 16))
    decisions = {row[0].split()[0] for row in ROWS if re.match(r"D\d+ ", row[0])}
    assert decisions == {f"D{number}" for number in range(1, 16)}


@pytest.mark.parametrize("name", NAMES)
def test_the_name_exists(name: str) -> None:
    if name.startswith("lamina"):
        assert _imported(name) is not None
    elif name.startswith("migrations/"):
        assert (ROOT / "src/lamina/adapters/postgres" / name).is_file()
    elif "::" in name:
        path, _, function = name.partition("::")
        assert re.search(rf"^ *def {function}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    else:
        assert (ROOT / name).is_file() or (ROOT / "src/lamina" / name).is_file()


def _imported(name: str) -> Any:
    """The module, or what is reached from one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            # A field of a class is named in its annotations, where it has no default.
            found = getattr(found, part, None) or getattr(found, "__annotations__", {}).get(part)
            if found is None:
                return None
        return found
    return None
