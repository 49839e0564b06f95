"""An isolation kit: tenants with names that are easily mistaken, each with a secret, and every way to another's memory
that a caller could try. Nothing may come back, and nothing may change.

A lookup of one foreign id or one search for one foreign text is one attempt; many are made in one call.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from lamina.application.anchored import AnchoredMemory
from lamina.application.corroborate import Source
from lamina.application.memory import Memory
from lamina.application.observe import Observation
from lamina.domain.claim import Claim
from lamina.domain.corroboration import SourceType
from lamina.domain.errors import StoreError
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import RuleRef
from lamina.domain.selection import Selection
from lamina.ports.canonical_rules import Rule
from lamina.ports.unit_of_work import UnitOfWork

TENANTS = (
    ("acme", "kyc"),
    ("acme", "kyc2"),
    ("acme", "ky"),
    ("ACME", "kyc"),
    ("acmek", "yc"),
    ("acme%", "kyc"),
    ("acme_", "kyc"),
    ("аcme", "kyc"),
    ("acme\u200b", "kyc"),
    ("acme\u001fkyc", "kyc"),
    ("acme' OR 'a'='a", "kyc"),
    ("%", "%"),
    ("other", "acme"),
    ("kyc", "acme"),
)
"""Names that a prefix, a pattern, a folding or a careless join would take for one another."""


@dataclass
class Tenant:
    """One anchor, what it wrote, and the word that nobody else may ever see."""

    at: AnchoredMemory
    secret: str
    ids: list[MemoryId] = field(default_factory=list)
    decisions: list[DecisionId] = field(default_factory=list)
    rules: list[RuleRef] = field(default_factory=list)
    sessions: list[UUID] = field(default_factory=list)


@dataclass
class Tally:
    """How much was tried, and every leak in words."""

    attempts: int = 0
    leaks: list[str] = field(default_factory=list)

    def count(self, attempts: int, leaked: bool, what: str) -> None:  # noqa: FBT001 (what was found)
        """Notes some attempts of one kind."""
        self.attempts += attempts
        if leaked:
            self.leaks.append(what)


def settle(memory: Memory, facts: int, seed: int) -> list[Tenant]:
    """Lets every tenant write: episodes, a preference with a claim, rules, a dispute."""
    chance = random.Random(seed)  # noqa: S311 (the same on every run)
    return [_settled(memory.at(org_id=org, domain_id=domain), facts, chance) for org, domain in TENANTS]


def _settled(at: AnchoredMemory, facts: int, chance: random.Random) -> Tenant:
    secret = f"secret{chance.randrange(10**12):012d}word"
    tenant = Tenant(at, secret)
    rule = Rule(
        RuleRef(UUID(int=chance.getrandbits(128)), "v1"), f"The rule of {secret} is that nobody else reads it. " * 3
    )
    at.add_rules([rule])
    tenant.rules.append(rule.ref)
    for number in range(2):
        said = at.prefer(f"{secret} prefers thing {number}", claim=Claim(f"{secret} {number}", "likes", secret))
        tenant.ids.append(said.id)
    disputed = at.contradict(tenant.ids[0], other=tenant.ids[1], note=f"{secret} is disputed")
    session = at.session()
    tenant.sessions.append(session.id)
    seen = [Observation(f"{secret} was seen, time {n}", {"tenant": secret}, [rule.ref]) for n in range(facts)]
    tenant.ids += [outcome.id for outcome in session.observe_many(seen)]
    at.link_action("audit", secret, [tenant.ids[0]])
    tenant.decisions += [entry.id for entry in at.history(disputed.id)[0].decisions]
    return tenant


def attack(tenants: Sequence[Tenant], seed: int) -> Tally:
    """Every tenant tries every way to the memory of all the others."""
    chance = random.Random(seed)  # noqa: S311 (the same on every run)
    tally = Tally()
    for attacker in tenants:
        victims = [one for one in tenants if one is not attacker]
        _by_ports(attacker, victims, tally)
        for victim in chance.sample(victims, 2):
            _by_verbs(attacker, victim, chance, tally)
    return tally


def _by_ports(attacker: Tenant, victims: Sequence[Tenant], tally: Tally) -> None:
    """Straight at the store, in the attacker's own unit: what no verb offers, a bug in one might."""
    ids = [id_ for victim in victims for id_ in victim.ids]
    with attacker.at._resources.store.reading(attacker.at.anchor) as unit:  # noqa: SLF001 (the kit looks beneath)
        for name, asked, found in _lookups(unit, ids, victims):
            tally.count(asked, bool(found), f"{attacker.at.anchor}: {name} gave {found!r}")
    for name, asked, found in _searches(attacker, victims):
        tally.count(asked, bool(found), f"{attacker.at.anchor}: {name} gave {found!r}")


def _lookups(unit: UnitOfWork, ids: Sequence[MemoryId], victims: Sequence[Tenant]) -> Iterator[tuple[str, int, object]]:
    rules = [ref for victim in victims for ref in victim.rules]
    bodies = [f"The rule of {victim.secret} is that nobody else reads it. " * 3 for victim in victims]
    yield "records.get", len(ids), unit.records.get(ids)
    yield "corroborations.of_any", len(ids), unit.corroborations.of_any(ids)
    yield "contradictions.of_any", len(ids), unit.contradictions.of_any(ids)
    yield "candidates.vectors", len(ids), unit.candidates.vectors(ids)
    yield "rules.get", len(rules), unit.rules.get(rules)
    yield "rules.copied_by", len(bodies), [one for one in unit.rules.copied_by(bodies) if one and one[0] in rules]
    yield "rules.held_by", len(bodies), [one for one in unit.rules.held_by(bodies) if one and one[0] in rules]
    for victim in victims:
        one = victim.ids[0]
        yield "decisions.about", 1, unit.decisions.about(one)
        yield "action_links.of", 1, unit.action_links.of(one)
        yield "rule_references.of", 1, unit.rule_references.of(victim.ids[-1])


def _searches(attacker: Tenant, victims: Sequence[Tenant]) -> Iterator[tuple[str, int, object]]:
    resources, own = attacker.at._resources, set(attacker.ids)  # noqa: SLF001 (the kit looks beneath)
    every = Selection(include_retired=True)
    texts = [f"{victim.secret} prefers thing 0" for victim in victims]
    vectors, lexemes = resources.embedder.documents(texts), resources.lexer.lexemes(texts)
    with resources.store.reading(attacker.at.anchor) as unit:
        for victim, vector, words in zip(victims, vectors, lexemes, strict=True):
            near = unit.candidates.nearest(vector, resources.embedder.model, every, 50)
            yield "nearest", 1, set(near) - own
            yield "matching", 1, set(unit.candidates.matching(words, every, 50)) - own
            yield "tagged", 1, unit.candidates.tagged({"tenant": victim.secret}, every, 50)


def _by_verbs(attacker: Tenant, victim: Tenant, chance: random.Random, tally: Tally) -> None:
    """By what a caller is handed: each verb with an id that is not theirs must be refused, and tell nothing."""
    for name, act in _verbs(attacker, victim, chance):
        try:
            said = act()
        except StoreError as error:
            tally.count(1, victim.secret in str(error), f"{name}: {error}")
            continue
        outcomes = said if isinstance(said, list) else [said]
        refused = all(one.decision is Decision.REFUSED for one in outcomes if isinstance(one, Outcome))
        tally.count(1, not refused or victim.secret in repr(said), f"{attacker.at.anchor}: {name} gave {said!r}")


def _verbs(attacker: Tenant, victim: Tenant, chance: random.Random) -> Iterator[tuple[str, Callable[[], object]]]:
    at, one = attacker.at, chance.choice(victim.ids)
    source = Source(SourceType.OPERATOR_INPUT, uuid4())
    asked = f"what is {' '.join(chance.sample(['the', 'secret', 'thing'], 2))} of tenant {chance.randrange(9)}?"
    yield "recall", lambda: [hit.record.body for hit in at.recall(asked, 50, include_retired=True)]
    yield "recall by tag", lambda: at.recall("seen", tags={"tenant": victim.secret})
    yield "history", lambda: at.history(one)
    yield "corroborate", lambda: at.corroborate(one, source)
    yield "contradict", lambda: at.contradict(one, other=attacker.ids[0], note="mine")
    yield "contradict with", lambda: at.contradict(attacker.ids[0], other=one, note="mine")
    yield "contradict rule", lambda: at.contradict(attacker.ids[0], rule=victim.rules[0], note="mine")
    yield "archive", lambda: at.archive(one, reason="mine")
    yield "exempt", lambda: at.exempt(one, reason="mine")
    yield "invalidate", lambda: at.invalidate(one, reason="mine")
    yield "supersede", lambda: at.supersede(one, by=attacker.ids[0])
    yield "supersede by", lambda: at.supersede(attacker.ids[0], by=one)
    yield "link_action", lambda: at.link_action("audit", "mine", [one])
    yield "propose", lambda: at.propose("It is mine now", because=[one])
    yield "undo", lambda: at.undo(chance.choice(victim.decisions), reason="mine")
    yield "ask", lambda: at.runner("operator").ask_world_agent(asked).text
    yield "customer", lambda: at.runner("customer").ask_world_agent(asked).text
    yield "use history", lambda: repr(at.runner("operator").use("history", str(one)))
    yield "session of another", lambda: _observed_there(at, victim)


def _observed_there(at: AnchoredMemory, victim: Tenant) -> list[str]:
    """A session that goes by the id of another's is this anchor's own: what was said in the other is not in it."""
    session = at.session(victim.sessions[0])
    outcome = session.observe("looking around")
    found = [hit.record.body for hit in at.recall("seen looking", 50)]
    at.archive(outcome.id, reason="done")
    return found


def untouched(tenants: Sequence[Tenant]) -> list[str]:
    """Whose memory is not as it was written; none, if the attacks changed nothing."""
    changed = []
    for tenant in tenants:
        with tenant.at._resources.store.reading(tenant.at.anchor) as unit:  # noqa: SLF001 (the kit looks beneath)
            records = unit.records.get(tenant.ids)
        if set(records) != set(tenant.ids) or not all(
            one.live and tenant.secret in one.body for one in records.values()
        ):
            changed.append(str(tenant.at.anchor))
    return changed
