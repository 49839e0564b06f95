"""`lamina worker`: a process that opens the memory once and works until it is told to stop."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from lamina.composition import find_spec
from lamina.composition.embedders import find_embedder
from lamina.entrypoints.worker import find_work, maintenance, run_worker


def worker(  # noqa: PLR0913, PLR0917 (each is one option)
    work: Annotated[
        str | None, typer.Argument(help="package.module:function, called with the memory and an event that says stop.")
    ] = None,
    store: Annotated[str | None, typer.Option(help="The store: a path or a URL.")] = None,
    spec: Annotated[str | None, typer.Option(help="A shipped spec, or the path of a .toml file.")] = None,
    embedder: Annotated[str | None, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = None,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks at the indexes.")] = 60.0,
    dream_every: Annotated[float, typer.Option(min=0, help="Hours between two dreams; 0 for none.")] = 24.0,
) -> None:
    """Opens the memory once and works until SIGTERM; without a function of yours, it maintains the memory."""
    # As a worker's author expects: what lies in the folder that it is started in can be named.
    sys.path.insert(0, str(Path.cwd()))
    done = find_work(work) if work else maintenance(every, dream_every * 3_600 or None)
    run_worker(done, store, find_spec(spec) if spec else None, find_embedder(embedder) if embedder else None)
