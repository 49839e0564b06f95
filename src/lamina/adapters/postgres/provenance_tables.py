"""The tables of what is kept about records."""

from __future__ import annotations

from sqlalchemy import Table

from lamina.adapters.postgres.table_maker import TableMaker, instants, integers, texts, uuids


def action_links(make: TableMaker) -> Table:
    """What an action was justified by."""
    columns = [*uuids("anchor_id"), *texts("kind", "ref"), *uuids("memory_id"), *instants("linked_at")]
    key = ["anchor_id", "kind", "ref", "memory_id"]
    return make.table("action_links", columns, key, make.to_memory("action_links"))


def decisions(make: TableMaker) -> Table:
    """Every outcome."""
    columns = [
        *uuids("anchor_id", "id"),
        *texts("verb"),
        *instants("decided_at"),
        make.enum("decision"),
        *texts("reason"),
        *texts("rule", null=True),
    ]
    return make.table("decisions", columns, ["anchor_id", "id"])


def decision_records(make: TableMaker) -> Table:
    """Which records each of them touched, in order."""
    columns = [*uuids("anchor_id", "decision_id"), *integers("position"), *uuids("memory_id")]
    target = make.columns_of("decisions", "anchor_id", "id")
    decided = make.foreign("decision_records_decision", ("anchor_id", "decision_id"), target)
    return make.table("decision_records", columns, ["anchor_id", "decision_id", "position"], decided)


def rule_refs(make: TableMaker) -> Table:
    """References to canonical rules (D6)."""
    columns = [
        *uuids("anchor_id"),
        *make.keys(),
        *uuids("memory_id", "rule_id"),
        *texts("rule_version"),
        *instants("created_at"),
    ]
    key = ["anchor_id", "memory_id", "rule_id", "rule_version"]
    to_rule = [make.to_rule("rule_refs_rule", make.names.canonical)] if make.names.canonical else []
    return make.table("rule_refs", columns, key, make.to_memory("rule_refs"), *to_rule)


def corroborations(make: TableMaker) -> Table:
    """Who confirmed a record or failed to (D9)."""
    columns = [
        *uuids("anchor_id", "id", "memory_id"),
        make.enum("source_type"),
        *uuids("source_ref"),
        *instants("corroborated_at"),
        *uuids("session_id", null=True),
        make.enum("finding", "outcome"),
        *texts("notes"),
        *texts("world_version", null=True),
        *uuids("found_in", null=True),
    ]
    return make.table("corroborations", columns, ["anchor_id", "id"], make.to_memory("corroborations"))


def rule_contradictions(make: TableMaker) -> Table:
    """What does not fit with a rule, or with another record (D7)."""
    columns = [
        *uuids("anchor_id"),
        *make.keys(),
        *uuids("id", "memory_id"),
        *uuids("rule_id", null=True),
        *texts("rule_version", null=True),
        *uuids("other_memory_id", null=True),
        *texts("world_version", null=True),
        *instants("observed_at"),
        make.enum("contradiction_status", "status"),
    ]
    to_memory = make.to_memory("rule_contradictions")
    to_other = make.to_memory("rule_contradictions", "other_memory_id")
    to_rule = [make.to_rule("contradicted_rule", make.names.canonical)] if make.names.canonical else []
    against = make.check("rule_contradictions_against", "num_nonnulls(rule_id, other_memory_id) = 1")
    return make.table("rule_contradictions", columns, ["anchor_id", "id"], against, to_memory, to_other, *to_rule)


def contradiction_history(make: TableMaker) -> Table:
    """How each came to its status."""
    columns = [
        *uuids("anchor_id", "contradiction_id"),
        *integers("position"),
        make.enum("contradiction_status", "status"),
        *instants("changed_at"),
        *texts("notes"),
    ]
    target = make.columns_of("rule_contradictions", "anchor_id", "id")
    of_what = make.foreign("contradiction_history_contradiction", ("anchor_id", "contradiction_id"), target)
    return make.table("contradiction_history", columns, ["anchor_id", "contradiction_id", "position"], of_what)


def injections(make: TableMaker) -> Table:
    """Which memories went into the prompts of which session."""
    columns = [*uuids("anchor_id", "session_id"), *instants("injected_at"), *uuids("memory_id")]
    return make.table("injections", columns, ["anchor_id", "session_id", "injected_at", "memory_id"])
