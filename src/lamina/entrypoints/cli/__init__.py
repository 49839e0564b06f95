"""The command line: `lamina`."""

from __future__ import annotations

from lamina.entrypoints.cli.app import main

__all__ = ["main"]
