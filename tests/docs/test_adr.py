"""The decisions are numbered, short, of one form, and all listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "adr"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))


def test_they_are_numbered_without_a_gap() -> None:
    assert [path.name[:4] for path in RECORDS] == [f"{number:04}" for number in range(1, len(RECORDS) + 1)]


def test_the_index_lists_each_by_its_title() -> None:
    listed = re.findall(
        r"^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$", (FOLDER / "README.md").read_text("utf-8"), re.MULTILINE
    )
    titles = [path.read_text("utf-8").partition("\n")[0].partition(". ")[2] for path in RECORDS]
    assert listed == [(path.name[:4], path.name, title) for path, title in zip(RECORDS, titles, strict=True)]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: str(path.stem))
def test_each_has_a_context_a_decision_and_consequences(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith(f"# {int(path.name[:4])}. ")
    assert [line for line in lines if line.startswith("## ")] == ["## Context", "## Decision", "## Consequences"]
    assert len(lines) < 40
