"""`lamina shadow`: what the guards would say to a text, and why; nothing is written."""

from __future__ import annotations

from typing import Annotated

import typer

from lamina.composition import find_spec
from lamina.composition.embedders import BUNDLED, find_embedder
from lamina.composition.opening import open as open_memory
from lamina.entrypoints.cli.screen import out, shown
from lamina.entrypoints.cli.where import anchor_keys


def shadow(
    text: Annotated[str, typer.Argument(help="The text that would be written.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    at: Annotated[list[str], typer.Option(help="A key of its anchor, as key=value; once for each key.")],
    store: Annotated[str | None, typer.Option(help="A path or a URL; LAMINA_STORE by default.")] = None,
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
) -> None:
    """Whether a text would be refused as a copy: by which guard, what it was compared with, and what to write."""
    with open_memory(store, find_spec(spec), find_embedder(embedder)) as memory:
        compared = memory.at(**anchor_keys(at)).shadow(text)
    for one in compared:
        verdict = "[bold]refused[/bold]" if one.refused else "admitted"
        out.print(f"{verdict}  {one.guard}: {shown(one.found)}", soft_wrap=True)
    instead = next((one.instead for one in compared if one.refused and one.instead), None)
    if instead:
        out.print(f"Instead, refer by {shown(instead)}, and write what you think of it.", soft_wrap=True)
