"""`lamina migrate`: brings a store to the schema of a spec."""

from __future__ import annotations

from typing import Annotated

import typer

from lamina.composition import find_spec
from lamina.composition.embedders import BUNDLED, find_embedder
from lamina.composition.migrating import migrate as bring_up_to_date


def migrate(  # noqa: PLR0913, PLR0917 (each is one option)
    url: Annotated[str, typer.Argument(help="The store: a path, or postgresql://... as the schema's owner.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    create_canonical: Annotated[  # noqa: FBT002 (a switch on the command line)
        bool, typer.Option("--create-canonical", help="Make the canonical table too, where nobody else keeps one.")
    ] = False,
    grant_to: Annotated[str | None, typer.Option(help="The role that the application connects as.")] = None,
    grant_across_to: Annotated[
        str | None, typer.Option(help="An operator's role: it may ask several anchors at once.")
    ] = None,
    grant_dream_to: Annotated[
        str | None, typer.Option(help="The role of a worker: it may maintain every anchor, by lamina dream.")
    ] = None,
    grant_actor_to: Annotated[
        str | None, typer.Option(help="What actor code connects as: it sees the actor's memory only.")
    ] = None,
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
) -> None:
    """Brings a store to the schema of a spec. Running it again changes nothing; two at once wait for each other."""
    found = find_spec(spec)
    bring_up_to_date(
        url,
        found,
        find_embedder(embedder),
        create_canonical=create_canonical,
        grant_to=grant_to,
        grant_across_to=grant_across_to,
        grant_dream_to=grant_dream_to,
        grant_actor_to=grant_actor_to,
    )
    typer.echo(f"the store is ready for {found.name}")
