"""`lamina snapshot`: a copy of a DuckDB file, while another process works on it."""

from __future__ import annotations

from typing import Annotated

import typer

from lamina.composition.snapshotting import snapshot as copy_store


def snapshot(
    store: Annotated[str, typer.Argument(help="The DuckDB file.")],
    target: Annotated[str, typer.Argument(help="Where the copy goes; it must not be there yet.")],
) -> None:
    """Copies a DuckDB file as it is at one moment, even while another process is writing to it."""
    copy_store(store, target)
    typer.echo(f"{target}: open it like any store")
