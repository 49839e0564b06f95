"""`lamina spec`: list, show, check and begin an agent's memory spec."""

from __future__ import annotations

import json
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from lamina.adapters.toml.spec_files import new_spec, render_spec
from lamina.composition import find_spec
from lamina.domain.agents import SHIPPED
from lamina.domain.errors import SpecFileError
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.spec_table import Basis, Entry, spec_table
from lamina.domain.tier import Tier
from lamina.entrypoints.cli.screen import out

app = typer.Typer(no_args_is_help=True, help="An agent's memory as one declared, checked parameterization.")
COLUMNS = ("primitive", "for", "value", "basis", "why")


class Format(StrEnum):
    """How a spec is shown."""

    TABLE = "table"
    MARKDOWN = "markdown"
    JSON = "json"
    TOML = "toml"


@app.command(name="list")
def list_specs() -> None:
    """The specs that are shipped."""
    for spec in SHIPPED.values():
        anchor, held = ", ".join(spec.persistent_anchor.names), " + ".join(spec.typology[Tier.PERSISTENT])
        out.print(f"[bold]{spec.name}[/bold]: {escape(spec.purpose)}", soft_wrap=True)
        out.print(f"    anchored on ({anchor}); persists {held} memory", soft_wrap=True)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="A shipped spec, or the path of a .toml file.")],
    format: Annotated[Format, typer.Option(help="How to show it.")] = Format.TABLE,  # noqa: A002
) -> None:
    """The table that a reviewer reads: primitive, value, default or deviation, why."""
    spec = find_spec(name)
    if format is Format.JSON:
        typer.echo(json.dumps(spec.model_dump(mode="json", exclude_none=True), indent=2))
    elif format is Format.TOML:
        typer.echo(render_spec(spec), nl=False)
    elif format is Format.MARKDOWN:
        typer.echo(_markdown(spec))
    else:
        out.print(_table(spec))


@app.command()
def check(name: Annotated[str, typer.Argument(help="The path of a .toml file, or a shipped spec.")]) -> None:
    """Says that a spec holds together, or lists every mistake at once."""
    spec = find_spec(name)
    entries = spec_table(spec)
    deviations = sum(entry.basis is Basis.DEVIATION for entry in entries)
    typer.echo(f"{name}: {spec.name} holds together ({len(entries)} choices; deviations, each justified: {deviations})")


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The agent's name: a-z, 0-9 and _.")],
    to: Annotated[Path | None, typer.Option(help="Where to write it; NAME.toml by default.")] = None,
) -> None:
    """Begins a spec: a commented file that says at each primitive what to choose."""
    path, text = to or Path(f"{name}.toml"), new_spec(name)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise SpecFileError(str(path), "exists already", "choose another name, or remove it first") from error
    except OSError as error:
        raise SpecFileError(str(path), f"cannot be written: {error.strerror}", "choose another place") from error
    typer.echo(f"{path}: edit it, then run: lamina spec check {path}")


def _table(spec: AgentMemorySpec) -> Table:
    table = Table(title=f"{spec.name}: {escape(spec.purpose)}", title_justify="left", pad_edge=False)
    table.add_column("for", overflow="fold", max_width=22)
    table.add_column("value", overflow="fold")
    table.add_column("basis", no_wrap=True)
    for primitive, entries in groupby(spec_table(spec), key=lambda entry: entry.primitive):
        table.add_section()
        table.add_row("", f"[bold cyan]{escape(primitive)}[/bold cyan]")
        for entry in entries:
            table.add_row(escape(entry.subject), _value(entry), entry.basis)
    return table


def _value(entry: Entry) -> str:
    """A deviation stands out, and its reason stands beneath it."""
    value = f"[bold]{escape(entry.value)}[/bold]" if entry.basis is Basis.DEVIATION else escape(entry.value)
    return f"{value}\n[italic]because: {escape(entry.why)}[/italic]" if entry.why else value


def _markdown(spec: AgentMemorySpec) -> str:
    rows = [COLUMNS, ("---",) * len(COLUMNS), *spec_table(spec)]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([f"# {spec.name}", "", spec.purpose, "", *lines])
