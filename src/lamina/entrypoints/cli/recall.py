"""`lamina recall`: what a memory answers, and why."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from lamina.application.hit import Hit
from lamina.composition.embedders import BUNDLED
from lamina.entrypoints.cli.screen import out, shown
from lamina.entrypoints.cli.where import anchor_keys, opened


def recall(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    store: Annotated[str, typer.Argument(help="The store: a path or a URL.")],
    query: Annotated[str, typer.Argument(help="What to look for.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    at: Annotated[list[str], typer.Option(help="A key of its anchor, as key=value; once for each key.")],
    limit: Annotated[int, typer.Option(help="How many answers.")] = 10,
    as_of: Annotated[
        datetime | None,
        typer.Option(help="As it was known at that time (UTC).", formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]),
    ] = None,
    retired: Annotated[bool, typer.Option("--retired", help="What was retired too.")] = False,  # noqa: FBT002
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
) -> None:
    """The memories that answer a question, best first, each with its reasons. Nothing is written."""
    with opened(store, spec, embedder) as memory:
        user = memory.at(**anchor_keys(at))
        asked = user if as_of is None else user.as_of(known_at=as_of.replace(tzinfo=UTC))
        hits = asked.recall(query, limit, include_retired=retired)
    for number, hit in enumerate(hits, 1):
        _tell(number, hit)
    if not hits:
        out.print("Nothing is remembered there.")


def _tell(number: int, hit: Hit) -> None:
    out.print(f"{number}. [bold]{shown(hit.record.body)}[/bold]", soft_wrap=True)
    out.print(f"   {hit.record.id}; {shown(hit.explain())}", soft_wrap=True)
