"""What every page keeps to: links that lead somewhere, blocks that are run, commands that exist, lines that fit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lamina.domain.primitives import PRIMITIVES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
RUN = {"python", "console", "toml", "diff"}
SHOWN = {"sh", "text", "mermaid"}

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def _blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(r"^```(\S*)\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def _prose(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pages
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https://)([^)\s]+)\)", _prose(page)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


@pages
def test_blocks_are_of_a_kind_that_is_run_or_only_shown(page: Path) -> None:
    assert {kind for kind, _ in _blocks(page)} <= RUN | SHOWN


@pages
def test_what_is_run_stands_where_the_tests_look(page: Path) -> None:
    if {kind for kind, _ in _blocks(page)} & RUN:
        assert page == ROOT / "README.md" or page.is_relative_to(DOCS)


@pages
def test_make_commands_are_targets_of_the_makefile(page: Path) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = re.findall(r"^make ([a-z-]+)", "".join(text for kind, text in _blocks(page) if kind == "sh"), re.MULTILINE)
    named += re.findall(r"`make ([a-z-]+)`", _prose(page))
    assert set(named) <= set(targets)


@pages
def test_files_named_in_commands_exist(page: Path) -> None:
    for path in re.findall(r"python (tools/\S+\.py)", page.read_text("utf-8")):
        assert (ROOT / path).exists(), path


@pages
def test_lines_fit(page: Path) -> None:
    long = [line for line in _prose(page).splitlines() if len(line) > 120 and not line.startswith("|")]
    assert long == []


def test_the_index_leads_to_every_page() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in re.findall(r"\]\(([^)\s]+)\)", index)}
    expected = {page for page in DOCS.rglob("*.md") if page.parent.name != "adr" or page.name == "README.md"}
    assert expected - {DOCS / "README.md"} <= linked


def test_the_primitives_are_those_of_the_code() -> None:
    text = (DOCS / "explanation" / "why-fifteen-primitives.md").read_text("utf-8")
    listed = re.findall(r"^\| (P\d+) \| ([^|]+) \|", text, re.MULTILINE)
    assert listed == [(f"P{primitive.number}", primitive.name) for primitive in PRIMITIVES]
