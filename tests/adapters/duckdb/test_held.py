"""What is held in memory of a file, by whoever opens it."""

import threading
from contextlib import suppress

import pytest

from lamina.adapters.duckdb.by_anchor import ByAnchor
from lamina.adapters.duckdb.held import Held, HeldOfFile
from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.rule_postings import RulePostings
from lamina.domain.retrieval import EmbeddingChoice
from lamina.testing.samples import EMBEDDING, SPEC


def test_threads_that_open_a_file_at_once_hold_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each waits in the middle of making what is held, so that the other may come."""
    names, parts, both = Names.of(SPEC), list[Held](), threading.Barrier(2)

    def slowly() -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.2)

    class Slow(ByAnchor[RulePostings]):
        def __init__(self) -> None:
            super().__init__()
            slowly()

    monkeypatch.setattr("lamina.adapters.duckdb.held.ByAnchor", Slow)
    file = HeldOfFile()
    following = EmbeddingChoice(model="next", dimension=4)
    threads = [
        threading.Thread(target=lambda model: parts.append(file.part(names, model)), args=[model])
        for model in (EMBEDDING, following)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one, other = parts
    assert one.rule_postings is other.rule_postings
    assert file.beside(names, EMBEDDING) == [file.part(names, following)]


def test_shelves_are_dropped_while_somebody_opens_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    file, names = HeldOfFile(), Names.of(SPEC)
    one = file.part(names, EMBEDDING)
    monkeypatch.setattr(one.shelves, "clear", lambda: file.part(names, EmbeddingChoice(model="next", dimension=4)))
    file.drop_shelves()
    assert len(file.beside(names, EMBEDDING)) == 1
