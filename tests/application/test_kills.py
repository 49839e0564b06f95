"""A process that is killed in the middle of its appends loses nothing that was acknowledged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.kill_appends import EMBEDDER, kill_again_and_again

import lamina
from lamina.domain.retrieval import EmbeddingChoice

if TYPE_CHECKING:
    from tests.conftest import Server, Template

TIMES = 3
"""`python -m benchmarks.kill_appends` does it a hundred times."""


def test_on_duckdb(tmp_path: Path) -> None:
    survived = kill_again_and_again(str(tmp_path / "memory.duckdb"), TIMES, tmp_path, longest=0.1)
    assert survived.whole, survived


def test_on_postgres(tmp_path: Path, postgres_server: Server, template: Template) -> None:
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    database = postgres_server.database(template(lamina.CHAOS_AGENT, model).name)
    survived = kill_again_and_again(database.url, TIMES, tmp_path, longest=0.1)
    database.drop()
    assert survived.whole, survived
