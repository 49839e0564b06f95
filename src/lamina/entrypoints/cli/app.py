"""The root command. A Lamina error is shown as its sentence, never as a stack trace."""

from __future__ import annotations

import sys

import typer

from lamina import __version__
from lamina.domain.errors import LaminaError
from lamina.entrypoints.cli import (
    audit,
    bench,
    calibrate,
    demo,
    dream,
    history,
    migrate,
    recall,
    reembed,
    shadow,
    snapshot,
    spec,
    verify,
    worker,
)
from lamina.entrypoints.cli.output import let_go_of_output, prepare_output
from lamina.entrypoints.cli.screen import complain

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)
app.add_typer(spec.app, name="spec")
app.add_typer(bench.app, name="bench")
app.command()(audit.audit)
app.command("calibrate")(calibrate.calibrate_guards)
app.command()(demo.demo)
app.command()(dream.dream)
app.command()(history.history)
app.command()(migrate.migrate)
app.command()(recall.recall)
app.command()(reembed.reembed)
app.command()(shadow.shadow)
app.command()(snapshot.snapshot)
app.command()(verify.verify)
app.command()(worker.worker)


@app.callback(invoke_without_command=True)
def root(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:  # noqa: FBT001, FBT003
    """A memory for AI agents that can be held to account."""
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """What the `lamina` command runs."""
    prepare_output()
    try:
        app()
    except LaminaError as error:
        complain(error)
        let_go_of_output()
        sys.exit(1)
