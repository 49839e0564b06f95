"""A new database file appears whole: a process that is killed while DuckDB makes one leaves a file that never opens."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from lamina.adapters.duckdb.snapshot import OFFLINE


def make_file(path: Path) -> None:
    """Makes an empty database where there is no file, and the folders on the way."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        return
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        made = Path(folder) / "new"
        duckdb.connect(str(made), config=OFFLINE).close()
        # A link never takes the place of a file. Where another process was first, or the disk knows no links, whoever
        # opens the path finds what is there, or makes it.
        with suppress(OSError):
            os.link(made, path)
