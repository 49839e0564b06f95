"""What the gates cost: on the way out, beside a recall of 20; on the way in, beside the same write without them.

python -m benchmarks.gates
"""

from __future__ import annotations

from statistics import median

import lamina
from benchmarks.corpus import texts
from benchmarks.timing import interleaved, median_ms
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.adapters.sources.local import LocalSource
from lamina.application.world_agent import InProcessRunner
from lamina.domain.sanitization.customer import CustomerSubset
from lamina.domain.sanitization.hedging import HedgeByProvenance
from lamina.domain.sanitization.passage import SanitizationGate, through
from lamina.domain.sanitization.strip_identifiers import StripIdentifiers

MEMORIES = 10_000
BATCH = 10_000
RECORDS = 1_000
ROUNDS = 3


def main() -> None:
    """Prints both."""
    embedder = HashingEmbedder()
    with lamina.open(":memory:", lamina.WORLD_AGENT, embedder) as memory:
        at = memory.at(org_id="acme", domain_id="kyc")
        session = at.session()
        session.observe_many([lamina.Observation(text) for text in texts(MEMORIES)])
        _out(at)
    _in(embedder)


def _out(at: lamina.AnchoredMemory) -> None:
    question = "which operator reviews the citation of a claim?"
    recall = median_ms(lambda: at.recall(question, limit=20))
    runner = at.runner("operator")
    assert isinstance(runner, InProcessRunner)
    found = runner._passages([hit.record for hit in at.recall(question, limit=20)])  # noqa: SLF001 (what gates see)
    gates: dict[str, list[SanitizationGate]] = {
        "operator": [HedgeByProvenance()],
        "customer": [CustomerSubset(at.anchor), StripIdentifiers(), HedgeByProvenance()],
        "all, of which nothing stays behind": [StripIdentifiers(names=("acme", "kyc")), HedgeByProvenance()],
    }
    print(f"recall of 20 among {MEMORIES:,}: {recall:.2f} ms")
    for name, few in gates.items():
        taken = median_ms(lambda few=few: through(few, found), runs=200)  # type: ignore[misc]
        print(f"gates, {name}: {taken:.3f} ms for {len(found)} passages (aim: under 1 ms)")


def _in(embedder: HashingEmbedder) -> None:
    audit = LocalSource("audit-chain")
    audit.add((f"row {n}", text) for n, text in enumerate(texts(RECORDS, seed=9)))
    observations = [lamina.Observation(text) for text in texts(BATCH, seed=11)]

    def write(number: int, *, gated: bool) -> None:
        sources = [audit] if gated else []
        with lamina.open(":memory:", lamina.WORLD_AGENT, embedder, sources=sources) as memory:
            if not gated:
                object.__setattr__(memory._resources, "personal_data", None)  # noqa: SLF001 (a gate less)
            outcomes = memory.at(org_id="acme", domain_id=str(number)).session().observe_many(observations)
            if len(outcomes) != BATCH:
                raise SystemExit("not everything was written")

    acts = [lambda number: write(number, gated=True), lambda number: write(number, gated=False)]
    with_gates, without = (median(taken) for taken in interleaved(acts, ROUNDS))
    print(
        f"observe_many of {BATCH:,} beside {RECORDS:,} records: {with_gates:.2f} s with the gates,"
        f" {without:.2f} s without ({with_gates / without:.2f} x)"
    )


if __name__ == "__main__":
    main()
