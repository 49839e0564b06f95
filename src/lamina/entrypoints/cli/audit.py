"""`lamina audit`: a whole memory, as an auditor reads it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from lamina.application.audit import Audit
from lamina.composition.embedders import BUNDLED
from lamina.domain.auditing import Concern, Promise
from lamina.entrypoints.cli.screen import out, shown
from lamina.entrypoints.cli.where import anchor_keys, opened


def audit(
    store: Annotated[str, typer.Argument(help="The store: a path or a URL.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    at: Annotated[
        list[str] | None, typer.Option(help="One anchor only: a key of it as key=value, once for each key.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For a program to read.")] = False,  # noqa: FBT002 (a switch)
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
) -> None:
    """Tells what somebody should look at, and whether every promise holds; if one does not, it ends with 1."""
    with opened(store, spec, embedder) as memory:
        report = (memory.at(**anchor_keys(at)) if at else memory).audit()
    if as_json:
        typer.echo(json.dumps(_data(report), indent=2))
    else:
        _tell(report)
    if report.broken:
        raise typer.Exit(1)


def _tell(report: Audit) -> None:
    cells = ", ".join(f"{count:,} {cell}" for cell, count in sorted(report.cells.items()))
    states = ", ".join(f"{count:,} {state}" for state, count in report.retention.items())
    out.print(f"{report.anchors:,} anchors, {report.records:,} persistent records: {cells or 'none'}", soft_wrap=True)
    out.print(f"retention: {states or 'nothing'}", soft_wrap=True)
    out.print("\n[bold]Promises[/bold]")
    for promise in Promise:
        _line(report, promise, "holds")
    out.print("\n[bold]Worth a look[/bold]")
    for concern in Concern:
        _line(report, concern, "none")


def _line(report: Audit, about: Concern | Promise, nothing: str) -> None:
    count = report.counts[about]
    broken = isinstance(about, Promise) and count
    told = f"[red]broken {count:,} times[/red]" if broken else f"{count:,}" if count else nothing
    out.print(f"  {about}: {told}", soft_wrap=True)
    for anchor, doubt in report.examples:
        if doubt.about is about:
            out.print(shown(f"    {doubt.memory_id} ({anchor}): {doubt.words}"), soft_wrap=True)


def _data(report: Audit) -> dict[str, Any]:
    return {
        "anchors": report.anchors,
        "records": report.records,
        "cells": {str(cell): count for cell, count in report.cells.items()},
        "retention": dict(report.retention),
        "promises": {promise: report.counts[promise] == 0 for promise in Promise},
        "concerns": {concern: report.counts[concern] for concern in Concern},
        "examples": [
            {"about": doubt.about, "anchor": dict(anchor.parts), "id": str(doubt.memory_id), "words": doubt.words}
            for anchor, doubt in report.examples
        ],
    }
