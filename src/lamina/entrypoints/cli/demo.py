"""`lamina demo`: a minute of a World Agent's life, on a real store. It says what was decided, and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape

from lamina.application.anchored import AnchoredMemory
from lamina.application.corroborate import Source
from lamina.composition.opening import open as open_memory
from lamina.domain.agents.world import WORLD_AGENT
from lamina.domain.anchor import Anchor
from lamina.domain.auditing import Promise
from lamina.domain.claim import Claim
from lamina.domain.corroboration import SourceType
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Outcome
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal
from lamina.domain.state import is_live
from lamina.entrypoints.cli.screen import out
from lamina.ports.canonical_rules import Rule

RULE = Rule(
    RuleRef(UUID(int=7), "v1"),
    "A proposal is promoted to the authoritative tier only if each of its claims carries a citation of an "
    "authoritative source that was retrieved within the last ninety days.",
)
OPERATOR, TESTS = UUID(int=1), UUID(int=2)
BUDGET = 100
"""Tokens: room for what answers best, and not for all."""


def demo(
    store: Annotated[str | None, typer.Option(help="Where to play it; a new DuckDB file by default.")] = None,
) -> None:
    """A minute of an agent's life: what is written, what is held, what is refused, and why."""
    if store:
        _play(store)
        return
    with TemporaryDirectory() as folder:
        _play(str(Path(folder) / "memory.duckdb"))


class _Told:
    """The demo says itself what is refused."""

    def refused(self, verb: str, anchor: Anchor, refusals: Sequence[Refusal]) -> None:
        """Nothing more."""


def _play(url: str) -> None:
    with open_memory(url, spec=WORLD_AGENT, surface=_Told()) as memory:
        kyc = memory.at(org_id="acme", domain_id="kyc")
        fact = _observe_and_promote(kyc)
        _reverse(kyc, fact)
        _copy_a_rule(kyc)
        _recall(kyc)
        _history(kyc, fact)
        _title("6. Another domain of the same customer knows nothing of it")
        _say(f"recalled at (acme, aml): {memory.at(org_id='acme', domain_id='aml').recall('the conformity gate')}")
        _inject(kyc)
        _ask(kyc)
        _look_after(kyc)
    out.print("\nNext: lamina spec show world_agent, then docs/tutorial.md")


def _observe_and_promote(kyc: AnchoredMemory) -> MemoryId:
    _title("1. An observation is written; a fact from it is held, until a second voice is heard")
    with kyc.session() as session, session.interaction() as turn:
        seen = turn.observe("The conformity gate refused a proposal that had no citations", tags={"family": "gate"})
        _told("observe", seen)
        claim = Claim("conformity gate", "requires", "citations")
        held = session.propose("The conformity gate wants authoritative citations", claim=claim, because=[seen.id])
        _told("propose", held)
        again = kyc.corroborate(held.id, Source(SourceType.OPERATOR_INPUT, OPERATOR, session.id))
        _told("the operator agrees, in the same session", again)
    _told("a test agrees, on its own", kyc.corroborate(held.id, Source(SourceType.OBSERVATION_EVENT, TESTS)))
    return held.id


def _reverse(kyc: AnchoredMemory, fact: MemoryId) -> None:
    _title("2. The rule is reversed: the new fact ends the old one, and both are kept")
    claim = Claim("conformity gate", "requires", "signatures")
    for day in ("Monday", "Tuesday"):
        with kyc.session() as session:
            seen = session.observe(f"The gate passed a proposal on a signature alone, on {day}")
            told = session.propose("The conformity gate wants signatures now", claim=claim, because=[seen.id])
        _told(f"propose, in {day}'s session", told)
    for chapter in kyc.history(fact):
        state = "live" if is_live(chapter.record.state) else type(chapter.record.state).__name__.lower()
        _say(f"kept: {chapter.record.body} ({state})")


def _copy_a_rule(kyc: AnchoredMemory) -> None:
    _title("3. A rule may be referred to, and never copied")
    kyc.add_rules([RULE])
    with kyc.session() as session:
        noted = session.observe("Operators keep missing the ninety days of the citation rule", rules=[RULE.ref])
        _told("a note that refers to the rule", noted)
        copy = RULE.body.replace("A proposal is", "Proposals are")
        _told("a copy with a few words changed", session.observe(copy))


def _recall(kyc: AnchoredMemory) -> None:
    _title("4. Recall finds what is live, and says why")
    with kyc.session() as session:
        session.observe("An operator asked again which signatures the gate takes", tags={"family": "gate"})
        for hit in kyc.recall("what does the conformity gate want?", limit=3, tags={"family": "gate"}):
            why = ", ".join(f"{signal} rank {said.rank}" for signal, said in hit.why.items())
            _say(f"{hit.score:.4f}  {hit.record.body}  ({why})")


def _history(kyc: AnchoredMemory, fact: MemoryId) -> None:
    _title("5. History: every decision, with its reason")
    for chapter in kyc.history(fact):
        _say(f"{chapter.record.body}:")
        for entry in chapter.decisions:
            _say(f"    {entry.verb}: {entry.outcome.decision}, {entry.outcome.reason}")


def _inject(kyc: AnchoredMemory) -> None:
    _title("7. Memory enters a prompt as quoted data, under a budget, and cannot come back as an observation")
    kyc.prefer("Concise distillations", claim=Claim("operator 7", "style", "concise"))
    with kyc.session() as session:
        block = session.inject("what does the conformity gate want?", budget=BUDGET)
        for line in block.text.splitlines():
            _say(line)
        for dropped in block.manifest.dropped:
            _say(f"out: {dropped.record.body}: {dropped.reason}")
        repeated = session.observe("The conformity gate wants signatures now.")
        _say(f"the agent repeats what it was shown: {repeated.decision} by {repeated.rule}")


def _ask(kyc: AnchoredMemory) -> None:
    _title("8. Another context asks through a gate; what is not known is said")
    for reader in ("operator", "customer"):
        answer = kyc.runner(reader).ask_world_agent("what does the conformity gate want?", limit=1)
        _say(f"{reader}: {answer.text}")
    _say(f"operator: {kyc.runner('operator').ask_world_agent('who reviews overdrafts in Peru?').text}")
    _say(f"customer wants the history: {kyc.runner('customer').use('history', 'anything')}")


def _look_after(kyc: AnchoredMemory) -> None:
    _title("9. Maintenance finds nothing left to do, and the audit holds")
    report, audit = kyc.dream(), kyc.audit()
    _say(f"dream: {report.reviewed} records reviewed, {report.changed} changed")
    _say(f"audit: {len(Promise) - len(audit.broken)} of {len(Promise)} promises hold over {audit.records} records")


def _title(text: str) -> None:
    out.print(f"\n[bold]{escape(text)}[/bold]", soft_wrap=True)


def _say(text: str) -> None:
    out.print(f"   {escape(text)}", soft_wrap=True)


def _told(what: str, outcome: Outcome) -> None:
    by = f" by {outcome.rule}" if outcome.rule else ""
    _say(f"{what}: {outcome.decision}{by}, {outcome.reason}")
