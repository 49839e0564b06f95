"""`lamina bench`: how much of the evidence recall finds, on a file that says what the evidence is."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from lamina.composition.embedders import BUNDLED, find_embedder
from lamina.domain.agents import ASSISTANT_AGENT
from lamina.domain.errors import SettingsError
from lamina.entrypoints.cli.screen import err, in_full

MEMORY = ":memory:"
app = typer.Typer(no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure recall."""


@app.command()
def locomo(
    path: Annotated[Path, typer.Argument(help="A LoCoMo file, such as locomo10.json.")],
    store: Annotated[
        str | None, typer.Option(help="Where to write it: a path or postgresql://...; else a file that is thrown away.")
    ] = None,
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
    as_json: Annotated[  # noqa: FBT002 (a switch on the command line)
        bool, typer.Option("--json", help="Print the figures as JSON.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw what each signal is worth to this file, as SVG; without it, nothing is drawn."),
    ] = None,
) -> None:
    """Evidence recall of the assistant's memory as it is shipped, and what each signal is worth.

    Each conversation is written for a user of its own, session by session; nothing is tuned to the file.
    """
    from lamina.entrypoints.bench.locomo import read  # noqa: PLC0415 (nobody else pays for it)
    from lamina.entrypoints.bench.measuring import measure  # noqa: PLC0415
    from lamina.entrypoints.bench.plot import bars  # noqa: PLC0415
    from lamina.entrypoints.bench.report import EVERYTHING, tables  # noqa: PLC0415

    if store == MEMORY:
        raise SettingsError(f"store {store}", "is gone before it is asked again", "give a path, or leave it out")
    if plot and not plot.parent.is_dir():
        raise SettingsError(str(plot), "cannot be drawn: there is no such folder", "make it first")
    conversations = read(path)
    with TemporaryDirectory(prefix="lamina-bench-") as folder:
        url = str(Path(folder) / "locomo.duckdb") if store is None else store
        found = measure(url, ASSISTANT_AGENT, find_embedder(embedder), conversations, err.print)
    if plot:
        plot.write_text(bars("Mean evidence recall at 10", found.ablation, EVERYTHING), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(found.as_data(), indent=2))
        return
    for table in tables(found):
        in_full(table)
