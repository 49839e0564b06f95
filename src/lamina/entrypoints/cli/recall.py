"""`lamina recall`: what a memory answers, and why."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from lamina.application.hit import Hit
from lamina.composition.embedders import BUNDLED
from lamina.domain.choices import choices
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.entrypoints.cli.screen import out, shown
from lamina.entrypoints.cli.where import anchor_keys, key_values, opened

TIME = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]


def recall(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    store: Annotated[str, typer.Argument(help="The store: a path or a URL.")],
    query: Annotated[str, typer.Argument(help="What to look for.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    at: Annotated[list[str], typer.Option(help="A key of its anchor, as key=value; once for each key.")],
    limit: Annotated[int, typer.Option(help="How many answers.")] = 10,
    tag: Annotated[
        list[str] | None, typer.Option(help="A tag that counts for what has it, as key=value; once for each key.")
    ] = None,
    tier: Annotated[list[str] | None, typer.Option(help="Of this tier only; once for each tier.")] = None,
    typology: Annotated[list[str] | None, typer.Option(help="Of this typology only; once for each.")] = None,
    since: Annotated[datetime | None, typer.Option(help="What is so from that time on (UTC).", formats=TIME)] = None,
    until: Annotated[datetime | None, typer.Option(help="What was so before that time (UTC).", formats=TIME)] = None,
    as_of: Annotated[datetime | None, typer.Option(help="As it was known at that time (UTC).", formats=TIME)] = None,
    valid_at: Annotated[datetime | None, typer.Option(help="What was so at that time (UTC).", formats=TIME)] = None,
    retired: Annotated[bool, typer.Option("--retired", help="What was retired too.")] = False,  # noqa: FBT002
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
) -> None:
    """The memories that answer a question, best first, each with its reasons. Nothing is written."""
    with opened(store, spec, embedder) as memory:
        user = memory.at(**anchor_keys(at))
        asked = user.as_of(_utc(valid_at), _utc(as_of)) if as_of or valid_at else user
        hits = asked.recall(
            query,
            limit,
            tags=key_values("--tag", tag) if tag else None,
            tiers=choices(Tier, tier, "tier") if tier else None,
            typologies=choices(Typology, typology or Typology, "typology"),
            since=_utc(since),
            until=_utc(until),
            include_retired=retired,
        )
    for number, hit in enumerate(hits, 1):
        _tell(number, hit)
    if not hits:
        out.print("Nothing is remembered there.")


def _utc(typed: datetime | None) -> datetime | None:
    return typed.replace(tzinfo=UTC) if typed else None


def _tell(number: int, hit: Hit) -> None:
    out.print(f"{number}. [bold]{shown(hit.record.body)}[/bold]", soft_wrap=True)
    out.print(f"   {hit.record.id}; {shown(hit.explain())}", soft_wrap=True)
