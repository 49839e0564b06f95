"""How figures are printed: a table, each beside what it is compared with, what it was taken on, and its aim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields


@dataclass(frozen=True, slots=True)
class Aim:
    """What a result is wanted to be; without a bound it is only published."""

    words: str = "published"
    at_least: float = float("-inf")
    at_most: float = float("inf")

    def verdict(self, result: float) -> str:
        """Whether it is that."""
        if self.at_least == -self.at_most:
            return ""
        return "pass" if self.at_least <= result <= self.at_most else "FAIL"


PUBLISHED = Aim()


def at_least(times: float) -> Aim:
    """So many times the other's figure, or more."""
    return Aim(f"{times:g} x or more", at_least=times)


def at_most(times: float) -> Aim:
    """So many times the other's figure, or less."""
    return Aim(f"{times:g} x or less", at_most=times)


def within_ms(most: float, words: str = "or less") -> Aim:
    """So many milliseconds, or less."""
    return Aim(f"{most:g} ms {words}", at_most=most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a figure was taken on."""

    rows: int
    characters: int
    rounds: int
    rules: int = 0
    anchors: int = 1
    commit: str = "fsync"
    """How a write is made durable before it returns; a figure without one only reads."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    what: str
    setting: Setting
    ours: float
    other: str
    theirs: float
    unit: str
    aim: Aim = PUBLISHED
    extra: float | None = field(default=None, kw_only=True)
    """Milliseconds more than the other, if that is the result, and not the ratio."""

    @property
    def result(self) -> float:
        """What is held against the aim."""
        return self.ours / self.theirs if self.extra is None else self.extra

    @property
    def cells(self) -> list[str]:
        """The line."""
        shown = f"{self.result:,.2f} x" if self.extra is None else f"{self.extra:+,.1f} ms"
        return [
            self.what,
            *(str(getattr(self.setting, column.name)) for column in fields(self.setting)),
            _written(self.ours, self.unit),
            f"{self.other} {_written(self.theirs, self.unit)}",
            shown,
            self.aim.words,
            self.aim.verdict(self.result),
        ]


def show(title: str, figures: Sequence[Figure]) -> None:
    """Prints them, in columns."""
    heads = ["figure", *(column.name for column in fields(Setting)), "lamina", "beside", "result", "aim", ""]
    lines = [heads, *(figure.cells for figure in figures)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    print(f"\n{title}\n")
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip(), flush=True)


def _written(number: float, unit: str) -> str:
    return f"{number:,.0f} {unit}" if number >= 100 else f"{number:,.2f} {unit}"
