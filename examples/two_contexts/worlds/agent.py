"""What the World Agent has learned about one domain."""

from __future__ import annotations

from uuid import UUID

import lamina

GATE = lamina.Claim("conformity gate", "requires", "citations")


def learn(at: lamina.AnchoredMemory) -> None:
    """A little of its life: it sees something, proposes a fact, and an operator confirms it."""
    with at.session() as session:
        seen = session.observe("The gate on node-17 refused a proposal that had no citations")
        fact = session.propose("The conformity gate requires citations", claim=GATE, because=[seen.id])
    at.corroborate(fact.id, lamina.Source(lamina.SourceType.OPERATOR_INPUT, UUID(int=7)))
    at.prefer("Reports for the board are written on one page, and kept on host-3")
