"""References to rules, and the refusal of copies of them (D6, D8, D14, P13), where the spec names a canonical table."""

from lamina.adapters.postgres.migrations.script import Script

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds what refers to the canonical table."""
    script = Script.current()
    if script.names.canonical is None:
        return
    script.run("rule_refs.sql")
    script.run("rule_shadow.sql")
    script.run("copied_rule.sql")
    script.run("containment.sql")
    script.run("rule_containment.sql")
    script.run("most_held_rule.sql")
    script.run("rule_guard.sql")
    script.run("memory_rules.sql")
    if script.names.contradictions:
        script.run("contradiction_rules.sql")
