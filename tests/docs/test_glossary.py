"""The glossary is sorted, says each word once, names only what exists, and has every word of the domain's enums."""

from __future__ import annotations

import re
from enum import Enum
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from pkgutil import walk_packages

import lamina.domain

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| word |")
]
OWNERS = sorted({owner for _, _, owner in ROWS if owner != "later"})
MODULES = [import_module(found.name) for found in walk_packages(lamina.domain.__path__, "lamina.domain.")]
ENUMS = {
    kind
    for module in MODULES
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Enum) and kind.__module__.startswith("lamina.domain.") and len(kind)
}


def _sorting(word: str) -> str:
    return word.replace("`", "").casefold()


def _exists(name: str) -> bool:
    """Whether there is such a module, or such a name in one."""
    parts = name.split(".")
    for depth in range(len(parts), 0, -1):
        try:
            module = import_module(".".join(parts[:depth]))
        except ModuleNotFoundError:
            continue
        try:
            attrgetter(".".join(parts[depth:]))(module) if parts[depth:] else None
        except AttributeError:
            return False
        return True
    return False


def test_there_is_a_glossary() -> None:
    assert len(ROWS) > 100
    assert len(ENUMS) > 15


def test_it_is_sorted_and_says_each_word_once() -> None:
    words = [_sorting(word) for word, _, _ in ROWS]
    assert words == sorted(set(words))


def test_each_row_has_a_sentence_and_an_owner() -> None:
    owned = re.compile(r"later|`lamina\.[\w.]+`")
    assert [row for row in ROWS if not (row[1].endswith(".") and owned.fullmatch(row[2]))] == []


def test_every_owner_exists() -> None:
    assert [owner for owner in OWNERS if not _exists(owner.strip("`"))] == []


def test_every_word_of_every_enum_is_there() -> None:
    named = set(re.findall(r"`([^`]+)`", GLOSSARY.read_text(encoding="utf-8")))
    assert {
        f"{kind.__name__}: {member.value}" for kind in ENUMS for member in kind if member.value not in named
    } == set()
