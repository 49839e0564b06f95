"""What each signal is worth, as a drawing: plain SVG, so that nothing has to be installed to make or see it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

_LEFT: Final = 210
_WIDTH: Final = 440
_ROW: Final = 30
_TOP: Final = 56


def bars(title: str, values: Mapping[str, float], best: str) -> str:
    """A bar for each value, from 0 to 1; the one that the others are compared with stands out."""
    height = _TOP + _ROW * len(values) + 16
    drawn = "\n".join(_bar(place, name, value, values[best], name == best) for place, (name, value) in _rows(values))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 110} {height}" role="img"'
        f' font-family="sans-serif" font-size="14">\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n'
        f'<text x="12" y="28" font-size="16" fill="#1b1f24">{escape(title)}</text>\n{drawn}\n</svg>\n'
    )


def _rows(values: Mapping[str, float]) -> enumerate[tuple[str, float]]:
    return enumerate(values.items())


def _bar(place: int, name: str, value: float, against: float, is_best: bool) -> str:  # noqa: FBT001
    y = _TOP + _ROW * place
    colour = "#1f6feb" if is_best else "#8b949e"
    change = "" if is_best else f" ({value - against:+.3f})"
    return (
        f'<text x="{_LEFT - 10}" y="{y + 15}" text-anchor="end" fill="#1b1f24">{escape(name)}</text>'
        f'<rect x="{_LEFT}" y="{y}" width="{_WIDTH * value:.1f}" height="20" fill="{colour}"/>'
        f'<text x="{_LEFT + _WIDTH * value + 6:.1f}" y="{y + 15}" fill="#1b1f24">{value:.3f}{change}</text>'
    )
