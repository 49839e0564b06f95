"""What has become of the canonical rules that a record refers to. A rule is one rule through all of its versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

from lamina.domain.references import RuleRef

Canon = Mapping[UUID, Mapping[str, str]]
"""For each rule its text in each of its versions."""
_DIGITS: Final = re.compile(r"(\d+)")


def latest(versions: Iterable[str]) -> str:
    """The last of some versions, as people number them: v10 comes after v9, 2026-02-01 after 2026-01-31."""
    return max(versions, key=_natural)


def _natural(version: str) -> tuple[list[tuple[int, str]], str]:
    parts = _DIGITS.split(version)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], version


def following(ref: RuleRef, canon: Canon) -> RuleRef | None:
    """The version that took the place of the one that is referred to, if it says something else; None if none did."""
    versions = canon.get(ref.rule_id, {})
    if ref.version not in versions:
        return None
    newest = latest(versions)
    return None if versions[newest] == versions[ref.version] else RuleRef(ref.rule_id, newest)


def replaced(references: Iterable[RuleRef], canon: Canon) -> dict[RuleRef, RuleRef]:
    """Those of a record's references whose rule says something else by now, each with the version that says it.

    A record that refers to the new version too has been looked at since: the old one is its history.
    """
    held = set(references)
    moved = {ref: new for ref in held if (new := following(ref, canon))}
    return {ref: new for ref, new in moved.items() if new not in held}


def surviving(references: Iterable[RuleRef], canon: Canon) -> frozenset[RuleRef]:
    """Those of a record's references whose rule still says what it said."""
    there = (ref for ref in references if ref.version in canon.get(ref.rule_id, {}))
    return frozenset(ref for ref in there if following(ref, canon) is None)
