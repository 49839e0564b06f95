"""`lamina verify`: whether anybody touched the perfect log of an agent, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from lamina.application.verifying import Verified
from lamina.composition.embedders import BUNDLED
from lamina.domain.choices import choice
from lamina.domain.errors import NotAName
from lamina.domain.event_chain import Link
from lamina.domain.events import Persona
from lamina.entrypoints.cli.screen import out, shown
from lamina.entrypoints.cli.where import anchor_keys, opened


def verify(
    store: Annotated[str, typer.Argument(help="The store: a path or a URL.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    at: Annotated[list[str], typer.Option(help="A key of its anchor, as key=value; once for each key.")],
    noted: Annotated[
        list[str] | None, typer.Option(help="An end that was noted before, as persona:position:hash.")
    ] = None,
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
) -> None:
    """Reads every event of an agent, and says which was changed, removed or put elsewhere.

    Note the end that it prints outside the store: given back later, it shows whether the end was taken away.
    """
    with opened(store, spec, embedder) as memory:
        verified = memory.at(**anchor_keys(at)).verify(_links(noted or ()))
    for one in verified:
        _tell(one)
    if any(one.faults for one in verified):
        raise typer.Exit(1)


def _links(noted: Sequence[str]) -> dict[Persona, Link]:
    return dict(_link(one) for one in noted)


def _link(noted: str) -> tuple[Persona, Link]:
    try:
        persona, position, digest = noted.split(":")
        return choice(Persona, persona, "persona"), Link(int(position), bytes.fromhex(digest))
    except ValueError as error:
        raise NotAName(f"--noted {noted!r}", "is no end of a chain", "write it as persona:position:hash") from error


def _tell(one: Verified) -> None:
    state = f"{len(one.faults)} faults" if one.faults else "whole"
    out.print(f"[bold]{one.persona}[/bold]: {one.events} events, {state}", soft_wrap=True)
    for fault in one.faults:
        out.print(f"  {shown(str(fault))}", soft_wrap=True)
    if one.end:
        out.print(f"  its end: {one.persona}:{one.end.position}:{one.end.hash.hex()}", soft_wrap=True)
