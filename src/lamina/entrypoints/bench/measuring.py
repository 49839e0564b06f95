"""One run: write, ask, and ask again without each signal."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.composition.container import build_tokens, is_postgres
from lamina.composition.opening import open as open_memory
from lamina.domain.spec import AgentMemorySpec
from lamina.entrypoints.bench.locomo import Conversation
from lamina.entrypoints.bench.report import Report, headline, report
from lamina.entrypoints.bench.running import Tell, ask, variants, write
from lamina.ports.embedder import Embedder


def measure(
    url: str, spec: AgentMemorySpec, embedder: Embedder, conversations: Sequence[Conversation], tell: Tell
) -> Report:
    """The figures of the spec as it is, and what each signal is worth."""
    with open_memory(url, spec=spec, embedder=embedder) as memory:
        written = write(memory, conversations, tell)
        tell("asking")
        answers = ask(memory, written, build_tokens())
    worth = {}
    for name, other in variants(spec).items():
        tell(f"asking {name}")
        with open_memory(url, spec=other, embedder=embedder) as memory:
            worth[name] = headline(ask(memory, written, None))
    return report("Postgres" if is_postgres(url) else "DuckDB", answers, worth)
