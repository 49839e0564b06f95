"""`lamina reembed`: another model takes the place of a store's own."""

from __future__ import annotations

from typing import Annotated, Self

import typer
from rich.progress import Progress

from lamina.composition import find_spec
from lamina.composition.embedders import BUNDLED, find_embedder
from lamina.composition.reembedding import reembed as change_model
from lamina.entrypoints.cli.screen import err


def reembed(
    url: Annotated[str, typer.Argument(help="The store: a path, or postgresql://... as the schema's owner.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
    drop_former: Annotated[  # noqa: FBT002 (a switch on the command line)
        bool, typer.Option("--drop-former", help="Take the former model's vectors away, once nobody uses them.")
    ] = False,
) -> None:
    """Gives every memory a vector of another model, while the store is in use. Run again, it goes on where it was."""
    chosen = find_embedder(embedder)
    with _Bar() as bar:
        given = change_model(url, find_spec(spec), chosen, bar.update, drop_former=drop_former)
    typer.echo(f"{given:,} memories were embedded; the store's model is {chosen.model}")


class _Bar:
    """A bar on standard error, once there is something to show on it."""

    def __init__(self) -> None:
        self._progress: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress:
            self._progress.stop()

    def update(self, done: int, of: int) -> None:
        """So many of so many have a vector by now."""
        if self._progress is None:
            self._progress = Progress(console=err, transient=True)
            self._progress.add_task("embedding")
            self._progress.start()
        self._progress.update(self._progress.task_ids[0], completed=done, total=of)
