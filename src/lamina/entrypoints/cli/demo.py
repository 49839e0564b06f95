"""`lamina demo`: what Lamina decides, and why. Ids and times are fixed, so that it says the same on every run."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_DNS, UUID, uuid5

from rich.markup import escape

from lamina.domain.agents.world import WORLD_AGENT
from lamina.domain.claim import Claim
from lamina.domain.corroboration import Corroboration, SourceType
from lamina.domain.discipline import SHADOW_THRESHOLD, is_shadow
from lamina.domain.fusion import fuse
from lamina.domain.ids import CorroborationId, MemoryId, SessionId
from lamina.domain.policies.conflict import Incoming, Neighbour
from lamina.domain.policies.decay import Standing
from lamina.domain.policies.injection import Item, pack
from lamina.domain.policies.promotion import Case, Granted, Verdict
from lamina.domain.policies.write import Attempt, Route
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.scope import PersistentScope
from lamina.domain.signals import Signal
from lamina.domain.tier import Tier
from lamina.domain.transitions import invalidate
from lamina.domain.trigram import similarity
from lamina.domain.typology import Cell, Typology
from lamina.domain.validity import Validity
from lamina.entrypoints.cli.screen import out

SPEC = WORLD_AGENT
FACTS = SPEC.resolve(Cell(Tier.PERSISTENT, Typology.SEMANTIC))
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
RULE = (
    "A proposal is promoted to the authoritative tier only if each of its claims carries a citation of an "
    "authoritative source that was retrieved within the last ninety days."
)


def demo() -> None:
    """Shows what Lamina decides, and why, by the World Agent's spec."""
    for scene in (_writing, _promotion, _reversal, _rule_copy, _recall, _decay, _injection):
        scene()
    _say("")
    _say("Next: lamina spec show world_agent, then docs/tutorial.md")


def _writing() -> None:
    _title("1. An observation is written, a fact is not: facts are promoted")
    episodes = SPEC.resolve(Cell(Tier.INTERACTION, Typology.EPISODIC))
    _verdict("observe an episode", episodes.write.admit(Attempt(Route.OBSERVATION)))
    _verdict("write a fact directly", FACTS.write.admit(Attempt(Route.STATED)))


def _promotion() -> None:
    _title("2. A promotion is held, and then granted")
    rule = SPEC.resolve(Cell(Tier.SESSION, Typology.EPISODIC)).promotion
    assert rule is not None  # noqa: S101 (the World Agent's sessions lead to facts)
    first, same_voice, second = _heard("operator 7", 1), _heard("operator 7", 2), _heard("inline test", 2)
    contexts = frozenset({"distillation", "code generation"})
    _judged("one operator", rule.rule.judge(Case(corroborations=(first,), contexts=contexts)))
    _judged("the same operator again", rule.rule.judge(Case(corroborations=(first, same_voice), contexts=contexts)))
    _judged("a test in another session", rule.rule.judge(Case(corroborations=(first, second), contexts=contexts)))


def _reversal() -> None:
    _title("3. A reversal keeps both facts")
    old = _fact("The conformity gate wants citations", Claim("conformity gate", "requires", "citations"))
    new = _fact("The conformity gate wants signatures", Claim("conformity gate", "requires", "signatures"))
    incoming = Incoming(new.body, new.claim, NOW)
    resolution = FACTS.conflict.resolve(incoming, [Neighbour(old, 0.93)])
    _say(f"{resolution.decision}: {resolution.reason}")
    ended = invalidate(old, NOW, NOW, resolution.reason, by=new)
    if isinstance(ended, MemoryRecord):
        _say(f"kept: {ended.body!r}, valid until {ended.validity.invalid_at:%Y-%m-%d}")
    _say(f"kept: {new.body!r}, valid from {NOW:%Y-%m-%d}")


def _rule_copy() -> None:
    _title("4. A copy of a rule is refused, reasoning about it is not")
    for what, text in (
        (
            "a copy with a few words changed",
            RULE.replace("A proposal", "Proposals").replace("is promoted", "are promoted"),
        ),
        (
            "reasoning about the rule",
            "Operators keep missing the ninety days of the citation rule: remind them at draft time.",
        ),
    ):
        near = similarity(text, RULE)
        said = "refused" if is_shadow(text, near) else "admitted"
        _say(f"{said}: {what} (similarity {near:.2f}, the limit is {SHADOW_THRESHOLD})")


def _recall() -> None:
    _title("5. Recall says why")
    found = {
        Signal.SEMANTIC: {_id("citations"): 0.71, _id("thresholds"): 0.64},
        Signal.LEXICAL: {_id("citations"): 7.2},
        Signal.TAGS: {_id("thresholds"): 1.0},
    }
    fused = fuse(found, SPEC.retrieval.signals, SPEC.retrieval.scoring)
    for name in ("citations", "thresholds"):
        hit = fused[_id(name)]
        why = ", ".join(f"{signal} rank {said.rank}" for signal, said in hit.why.items())
        _say(f"{hit.score:.4f}  the memory about {name}: {why}")


def _decay() -> None:
    _title("6. Time presses differently on each kind of memory")
    month_old = Standing(NOW - timedelta(days=30))
    preferences = SPEC.resolve(Cell(Tier.PERSISTENT, Typology.PROCEDURAL))
    _say(f"an undisposed fact after 30 days weighs {FACTS.decay.weight(month_old, NOW):.2f} ({FACTS.decay.words})")
    disposed = replace(month_old, disposed=True)
    _say(f"once it is disposed of, {FACTS.decay.weight(disposed, NOW):.2f}")
    _say(f"a preference weighs {preferences.decay.weight(month_old, NOW):.2f} ({preferences.decay.words})")


def _injection() -> None:
    _title("7. Injection fits the budget, and says what it dropped")
    wanted = [
        Item(_id("the operator's last question"), Tier.INTERACTION, 40),
        Item(_id("citations"), Tier.PERSISTENT, 30),
        Item(_id("thresholds"), Tier.PERSISTENT, 50),
    ]
    names = {_id(name): name for name in ("the operator's last question", "citations", "thresholds")}
    packed = pack(wanted, SPEC.blocks, budget=100)
    for kept in packed.kept:
        _say(f"in:  {names[kept.item.id]} ({kept.tokens} tokens, {kept.item.tier})")
    for dropped in packed.dropped:
        _say(f"out: {names[dropped.item.id]} ({dropped.item.tokens} tokens): {dropped.reason}")


def _title(text: str) -> None:
    out.print(f"\n[bold]{escape(text)}[/bold]")


def _say(text: str) -> None:
    out.print(f"   {escape(text)}" if text else "", soft_wrap=True)


def _verdict(what: str, refusal: Refusal | None) -> None:
    _say(f"{what}: refused, {refusal.reason}" if refusal else f"{what}: admitted")


def _judged(what: str, verdict: Verdict) -> None:
    if isinstance(verdict, Granted):
        _say(f"{what}: promoted, {verdict.reason}")
    else:
        _say(f"{what}: held by {verdict.criterion}, {verdict.reason}")


def _uuid(text: str) -> UUID:
    return uuid5(NAMESPACE_DNS, text)


def _id(text: str) -> MemoryId:
    return MemoryId(_uuid(text))


def _heard(source: str, session: int) -> Corroboration:
    return Corroboration(
        id=CorroborationId(_uuid(f"{source} {session}")),
        memory_id=_id("citations"),
        source_type=SourceType.OPERATOR_INPUT,
        source_ref=_uuid(source),
        corroborated_at=NOW,
        session_id=SessionId(_uuid(f"session {session}")),
    )


def _fact(body: str, claim: Claim) -> MemoryRecord:
    began = NOW - timedelta(days=100)
    return MemoryRecord(
        id=_id(body),
        scope=PersistentScope(SPEC.persistent_anchor.bind({"org_id": "acme", "domain_id": "kyc"})),
        typology=Typology.SEMANTIC,
        body=body,
        recorded_at=began,
        validity=Validity(began),
        claim=claim,
    )
