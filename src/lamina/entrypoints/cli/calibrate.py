"""`lamina calibrate`: what both guards do on a corpus of your own, around their bounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from lamina.composition import find_spec
from lamina.domain.calibration import Measured, Report, calibrate
from lamina.domain.discipline import SHADOW_THRESHOLD
from lamina.domain.errors import SettingsError
from lamina.entrypoints.cli.screen import out, shown

SHOWN = 5
CORPUS = Annotated[Path, typer.Argument(help='A JSON file: {"rules": [...], "honest": [...], "copies": [...]}.')]


def calibrate_guards(
    corpus: CORPUS,
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")] = "world_agent",
) -> None:
    """How many honest texts would be refused, and how many copies missed, at bounds around those of the guards.

    Without copies of its own, a corpus is tried with each rule verbatim, with its halves, and padded with another text.
    """
    given = _read(corpus)
    containment = find_spec(spec).reference_only.leak_defence.containment
    report = calibrate(given["rules"], given["honest"], given["copies"] or _copies(given), containment)
    _show(report)
    _examples("honest, and refused", report.false_refusals)
    _examples("a copy, and let through", report.misses)


def _read(path: Path) -> dict[str, list[str]]:
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(str(path), f"cannot be read: {error.strerror}", "give the path of a JSON file") from error
    except ValueError as error:
        raise SettingsError(str(path), f"is not JSON: {error}", "correct it there") from error
    parts = {name: found.get(name, []) if isinstance(found, dict) else None for name in ("rules", "honest", "copies")}
    for name, texts in parts.items():
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise SettingsError(f"{path}: {name}", "is not a list of texts", 'write it as "rules": ["...", "..."]')
    return {name: list(texts or ()) for name, texts in parts.items()}


def _copies(given: dict[str, list[str]]) -> list[str]:
    others = given["honest"] or given["rules"]
    made = []
    for place, rule in enumerate(given["rules"]):
        words, other = rule.split(), others[(place + 1) % len(others)]
        half = len(words) // 2
        made += [rule, " ".join(words[:half]), " ".join(words[half:]), f"{other} {rule} {other}"]
    return [text for text in made if len(text) >= 200]


def _show(report: Report) -> None:
    table = Table(box=None, pad_edge=False)
    for head in ("guard", "bound", "false refusals", "misses"):
        table.add_column(head, justify="left" if head == "guard" else "right")
    for line in report.lines:
        own = line.bound in (SHADOW_THRESHOLD, report.containment)
        bound = f"{line.bound:g}{' *' if own else '  '}"
        honest, copies = f"of {len(report.honest)}", f"of {len(report.copies)}"
        table.add_row(line.guard, bound, f"{line.false_refusals} {honest}", f"{line.misses} {copies}")
    out.print(table)
    refused = f"{len(report.false_refusals)} of {len(report.honest)} honest texts refused"
    missed = f"{len(report.misses)} of {len(report.copies)} copies let through"
    out.print(f"\nBoth guards together, as the spec stands (*): {refused}, {missed}.", soft_wrap=True)


def _examples(title: str, found: Sequence[Measured]) -> None:
    for one in found[:SHOWN]:
        near = f"similarity {one.similarity:.3f}, {one.share:.0%} of the phrases of a rule"
        out.print(f"  {title} ({near}): {shown(one.text[:70])}", soft_wrap=True)
