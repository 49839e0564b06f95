"""All figures of one run, and how they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from rich.table import Table

from lamina.entrypoints.bench.locomo import ANSWERABLE, CATEGORIES
from lamina.entrypoints.bench.measures import Answer, macro, newer_first, quantile, summary
from lamina.entrypoints.bench.running import Written

HEADLINE = "recall@10"
EVERYTHING = "all signals"
PUBLISHED = {"BM25": (0.42, 0.54), "bge-small": (0.36, 0.50), "best of 89 models": (0.57, 0.71)}
"""Macro over five categories: nDCG@10, R@10."""


@dataclass(frozen=True, slots=True)
class Report:
    """The figures; shares from 0 to 1, times in milliseconds."""

    store: str
    answerable: Mapping[str, float]
    """Categories 1 to 4, each question counting alike."""
    macro: Mapping[str, float]
    by_category: Mapping[str, Mapping[str, float]]
    newer_first: float
    newer_first_pairs: int
    p50_ms: float
    p95_ms: float
    ablation: Mapping[str, float]
    """Mean evidence recall at 10, categories 1 to 4."""

    def as_data(self) -> dict[str, object]:
        """For a machine to read."""
        return asdict(self)


def report(store: str, answers: Sequence[tuple[Written, Answer]], ablation: Mapping[str, float]) -> Report:
    """The figures of some answers."""
    by_category = {
        category: summary([one for _, one in answers if one.category == category])
        for category in sorted({one.category for _, one in answers})
    }
    answerable = [pair for pair in answers if pair[1].category in ANSWERABLE]
    first, pairs = newer_first((one, written.conversation.days()) for written, one in answerable)
    seconds = [one.seconds for _, one in answers]
    overall = summary([one for _, one in answerable])
    return Report(
        store,
        overall,
        macro(by_category),
        {CATEGORIES.get(category, str(category)): one for category, one in by_category.items()},
        first / pairs if pairs else 0.0,
        pairs,
        1_000 * quantile(seconds, 0.5),
        1_000 * quantile(seconds, 0.95),
        {EVERYTHING: overall[HEADLINE], **ablation},
    )


def headline(answers: Sequence[tuple[Written, Answer]]) -> float:
    """Mean evidence recall at 10 over what can be answered."""
    return summary([one for _, one in answers if one.category in ANSWERABLE])[HEADLINE]


def tables(found: Report) -> list[Table]:
    """All of it, to read."""
    return [_figures(found), _rest(found), _worth(found)]


def _figures(found: Report) -> Table:
    """Every figure, a column for each group of questions."""
    table = Table(title=f"LoCoMo on {found.store}: shares of the evidence", pad_edge=False)
    columns = {"1-4": found.answerable, "macro": found.macro, **found.by_category}
    table.add_column("", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right", overflow="fold", min_width=5)
    for name in found.answerable:
        cells = [f"{one[name]:.0f}" if name == "questions" else f"{one[name]:.3f}" for one in columns.values()]
        table.add_row(name, *cells)
    return table


def _rest(found: Report) -> Table:
    """What is not by category."""
    table = Table(title="Beside it")
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_row(f"newer of two first ({found.newer_first_pairs} pairs)", f"{found.newer_first:.3f}")
    table.add_row("recall p50", f"{found.p50_ms:.1f} ms")
    table.add_row("recall p95", f"{found.p95_ms:.1f} ms")
    for name, (gain, recalled) in PUBLISHED.items():
        table.add_row(f"published, {name}: macro nDCG@10, R@10", f"{gain:.2f}, {recalled:.2f}")
    return table


def _worth(found: Report) -> Table:
    """What each signal is worth."""
    table = Table(title="Mean evidence recall at 10, categories 1 to 4")
    table.add_column("signals")
    table.add_column(HEADLINE, justify="right")
    table.add_column("change", justify="right")
    whole = found.ablation[EVERYTHING]
    for name, value in found.ablation.items():
        table.add_row(name, f"{value:.3f}", "" if name == EVERYTHING else f"{value - whole:+.3f}")
    return table
