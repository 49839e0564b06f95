"""Candidates: vectors by one numpy product, tags by SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lamina.adapters.duckdb.records import LIVE
from lamina.adapters.duckdb.transaction import Transaction
from lamina.adapters.duckdb.vectors import VectorRow
from lamina.domain.ids import MemoryId
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology

SEARCHABLE = "held_at IS NULL AND tombstoned_at IS NULL"


class DuckDBCandidates:
    """What may answer a query, among one anchor's records."""

    def __init__(self, transaction: Transaction) -> None:
        self._statements = transaction.statements
        self._names = transaction.names
        self._anchor = transaction.anchor
        self._embedding = transaction.embedding
        self._collections = transaction.collections

    def nearest(self, vector: bytes, model: str, selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records of the most similar vectors, with their cosine."""
        self._embedding.check("query", model, vector)
        return self._collections.get(self._anchor.id, self._load).nearest(vector, selection, limit)

    def tagged(self, tags: Mapping[str, str], selection: Selection, limit: int) -> Mapping[MemoryId, float]:
        """The records that share labels with these, with the share of the labels that they have."""
        if not tags:
            return {}
        agree = " + ".join("coalesce(json_extract_string(tags, ?) = ?, false)::INTEGER" for _ in tags)
        labels = [part for key, value in tags.items() for part in (_path(key), value)]
        condition, parameters = _condition(selection)
        rows = self._statements.rows(
            f"SELECT id, agreeing FROM (SELECT id, valid_at, {agree} AS agreeing"
            f" FROM {self._names.table('memory')} WHERE anchor_id = ? AND {condition})"
            f" WHERE agreeing > 0 ORDER BY agreeing DESC, valid_at DESC, id LIMIT ?",
            [*labels, self._anchor.id, *parameters, limit],
        )
        return {row["id"]: row["agreeing"] / len(tags) for row in rows}

    def _load(self) -> list[VectorRow]:
        columns = self._statements.rows(
            f"SELECT m.id, e.vector, m.tier, m.typology, epoch_us(m.valid_at) AS valid_at_us, ({LIVE}) AS live,"
            f" ({SEARCHABLE}) AS searchable FROM {self._names.table('embeddings')} e"
            f" JOIN {self._names.table('memory')} m ON m.anchor_id = e.anchor_id AND m.id = e.memory_id"
            f" WHERE e.anchor_id = ? AND e.model = ?",
            [self._anchor.id, self._embedding.model],
        )
        return [
            VectorRow(
                row["id"],
                row["vector"],
                Tier(row["tier"]),
                Typology(row["typology"]),
                row["valid_at"],
                live=row["live"],
                retired=row["searchable"] and not row["live"],
            )
            for row in columns
        ]


def _path(key: str) -> str:
    quoted = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'$."{quoted}"'


def _condition(selection: Selection) -> tuple[str, list[Any]]:
    parts = [SEARCHABLE if selection.include_retired else LIVE]
    parts.append(
        "tier::VARCHAR IN (SELECT unnest(?::VARCHAR[])) AND typology::VARCHAR IN (SELECT unnest(?::VARCHAR[]))"
    )
    parameters: list[Any] = [sorted(selection.tiers), sorted(selection.typologies)]
    for operator, bound in ((">=", selection.since), ("<", selection.until)):
        if bound:
            parts.append(f"valid_at {operator} ?")
            parameters.append(bound)
    return " AND ".join(parts), parameters


if TYPE_CHECKING:
    from lamina.ports.candidates import Candidates

    _: type[Candidates] = DuckDBCandidates
