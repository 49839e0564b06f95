"""How much of what copies a rule is refused, and how much honest text: the curve that the containment share is from.

    python -m benchmarks.leak_guards PAIRS.json [--store postgresql://...]

Every attempt goes through the gateway of a real store, with both guards at their defaults. The curve beside it is the
domain's own measure at other shares.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import lamina
from benchmarks.leak_corpus import Corpus, attempts, longer
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.calibration import Known, Measured, measured
from lamina.domain.discipline import SHADOW_FLOOR

SHARES = (0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8)
AIMS = {
    "verbatim": 0.99,
    "other case": 0.99,
    "other white space": 0.99,
    "other punctuation": 0.99,
    "5 % of words changed": 0.99,
    "half quote": 0.95,
    "padded copy": 0.95,
}
MOST_HONEST = 0.01


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--store", default=":memory:")
    given = parser.parse_args()
    corpus = Corpus.read(given.pairs)
    texts = {**attempts(corpus), "honest": corpus.honest}
    texts |= {f"honest, {size} characters": longer(corpus, size) for size in (200, 400, 800, 1_600)}
    print(f"{len(corpus.rules)} rules, {len(corpus.honest)} honest texts\n")
    _show_refused(given.store, corpus, texts)
    print("\nthe curve: refused by similarity over 0.85, or from this share of a rule's phrases on")
    _show_curve(corpus, texts)
    for name, half in zip(("one half", "the other half"), corpus.halves(), strict=True):
        print(f"\n{name} of the rules by itself: a share that is chosen on one must do on the other")
        made = attempts(half)
        _show_curve(half, {**{kind: made[kind] for kind in AIMS}, "honest": half.honest})


def _show_refused(url: str, corpus: Corpus, texts: dict[str, list[str]]) -> None:
    print("through the gateway, both guards at their defaults")
    print(f"{'text':28}{'n':>6}{'refused':>10}{'by D8':>9}{'by containment':>16}{'aim':>10}")
    with lamina.open(url, lamina.WORLD_AGENT, HashingEmbedder()) as memory:
        at = memory.at(org_id="acme", domain_id="kyc")
        at.add_rules([lamina.Rule(lamina.RuleRef(UUID(int=n), "v1"), rule) for n, rule in enumerate(corpus.rules, 1)])
        for name, attempted in texts.items():
            rules = _refused_by(at, attempted)
            share = sum(rule is not None for rule in rules) / len(rules)
            by = [sum(rule == guard for rule in rules) / len(rules) for guard in ("rule-shadow", "rule-containment")]
            aim = f">= {AIMS[name]:.0%}" if name in AIMS else f"<= {MOST_HONEST:.0%}" if name == "honest" else ""
            print(f"{name:28}{len(rules):6}{share:10.1%}{by[0]:9.1%}{by[1]:16.1%}{aim:>10}", flush=True)


def _refused_by(at: lamina.AnchoredMemory, texts: Sequence[str]) -> list[str | None]:
    with at.session() as session:
        outcomes = session.observe_many([lamina.Observation(text) for text in texts])
    # Personal data in a corpus is another guard's matter.
    return [outcome.rule if outcome.rule and outcome.rule.startswith("rule-") else None for outcome in outcomes]


def _show_curve(corpus: Corpus, texts: dict[str, list[str]]) -> None:
    known = [Known.of(place, rule) for place, rule in enumerate(corpus.rules)]
    print(f"{'text':28}" + "".join(f"{share:>8g}" for share in SHARES) + f"{'D8 alone':>10}")
    for name, attempted in texts.items():
        found = [measured(text, known) for text in attempted]
        shares = [_refused(found, attempted, share) for share in SHARES]
        print(f"{name:28}" + "".join(f"{share:8.1%}" for share in shares) + f"{_refused(found, attempted, None):10.1%}")


def _refused(found: Sequence[Measured], texts: Sequence[str], share: float | None) -> float:
    both = zip(found, texts, strict=True)
    return sum(one.refused(share) for one, text in both if len(text) >= SHADOW_FLOOR) / len(found)


if __name__ == "__main__":
    main()
