"""Persistent records page by page in DuckDB. Units run one after another, so whoever takes is alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina.adapters.duckdb.shelving import LIVE
from lamina.domain.ids import MemoryId
from lamina.domain.upkeep import Reviewed, reviewed

if TYPE_CHECKING:
    from lamina.adapters.duckdb.corroborations import DuckDBCorroborations
    from lamina.adapters.duckdb.records import DuckDBRecords
    from lamina.adapters.duckdb.rule_references import DuckDBRuleReferences
    from lamina.adapters.duckdb.scope_cleanup import DuckDBScopeCleanUp


class DuckDBReviews:
    """The persistent records of one anchor, each with all that is looked at."""

    def __init__(
        self,
        records: DuckDBRecords,
        corroborations: DuckDBCorroborations,
        references: DuckDBRuleReferences,
        cleanup: DuckDBScopeCleanUp,
    ) -> None:
        self._records = records
        self._corroborations = corroborations
        self._references = references
        self._cleanup = cleanup

    def page(self, after: MemoryId | None, limit: int) -> list[Reviewed]:
        """Whatever has become of them."""
        return self._page("true", after, limit)

    def take(self, after: MemoryId | None, limit: int) -> list[Reviewed]:
        """Only what is live or a candidate."""
        return self._page(f"(held_at IS NOT NULL OR ({LIVE}))", after, limit)

    def _page(self, condition: str, after: MemoryId | None, limit: int) -> list[Reviewed]:
        records = self._records.persistent(condition, after, limit)
        ids = [record.id for record in records]
        said, refs, standings = (
            self._corroborations.of_any(ids),
            self._references.of_any(ids),
            self._cleanup.standings(ids),
        )
        return reviewed(records, said, refs, standings)


if TYPE_CHECKING:
    from lamina.ports.reviews import Reviews

    _: type[Reviews] = DuckDBReviews
