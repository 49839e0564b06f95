"""`lamina dream`: maintenance of a memory, once. A scheduler starts it, or a person who wants to see what it does."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from lamina.composition import find_spec
from lamina.composition.embedders import BUNDLED, find_embedder
from lamina.composition.opening import open as open_memory
from lamina.domain.dreaming import Dreamt
from lamina.domain.instants import LONGEST_PATIENCE
from lamina.domain.numbers import checked_number
from lamina.entrypoints.cli.screen import err, out, shown
from lamina.entrypoints.cli.where import anchor_keys


def dream(
    store: Annotated[str, typer.Argument(help="The store: a path or a URL.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    at: Annotated[
        list[str] | None, typer.Option(help="One anchor only: a key of it as key=value, once for each key.")
    ] = None,
    abandoned_after: Annotated[
        float, typer.Option(min=0, help="Hours after which a session that nobody writes to is closed.")
    ] = 24.0,
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
) -> None:
    """Closes what nobody closed, applies the lifecycle of every record, and tells what moved and why."""
    hours = checked_number(abandoned_after, "--abandoned-after", 0, LONGEST_PATIENCE / timedelta(hours=1))
    patience = timedelta(hours=hours)
    columns = (TextColumn("{task.description}"), TimeElapsedColumn())
    with (
        open_memory(store, find_spec(spec), find_embedder(embedder)) as memory,
        Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar,
    ):
        task = bar.add_task("dreaming")

        def show(so_far: Dreamt) -> None:
            bar.update(task, description=f"{so_far.anchors:,} anchors, {so_far.reviewed:,} records")

        where = memory.at(**anchor_keys(at)) if at else memory
        report = where.dream(abandoned_after=patience, progress=show)
    _tell(report)


def _tell(report: Dreamt) -> None:
    out.print(
        f"{report.anchors:,} anchors, {report.reviewed:,} records reviewed, {report.sessions_closed:,} sessions closed,"
        f" {report.indexed:,} rows indexed",
        soft_wrap=True,
    )
    for done, count in sorted(report.counts.items()):
        out.print(f"[bold]{done}: {count:,}[/bold]")
        for move in report.examples:
            if move.done is done:
                said = f"  {move.outcome.id} ({move.anchor}): {move.outcome.reason}"
                out.print(shown(said), soft_wrap=True)
    if report.entries or report.summaries or report.loops_closed:
        derived = f"{report.entries:,} entries and {report.summaries:,} summaries derived"
        out.print(f"{derived}, {report.loops_closed:,} interrupted loops closed", soft_wrap=True)
    for left in report.left:
        out.print(shown(f"left: {left}"), soft_wrap=True)
    if report.fading:
        out.print(
            f"fading: {report.fading:,} facts that nobody has confirmed for more than a half-life", soft_wrap=True
        )
