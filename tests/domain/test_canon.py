from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.canon import following, latest, replaced, surviving
from lamina.domain.references import RuleRef

RULE, OTHER = UUID(int=1), UUID(int=2)
refs = st.builds(RuleRef, st.sampled_from([RULE, OTHER]), st.sampled_from(["v1", "v2", "v10"]))
canons = st.dictionaries(
    st.sampled_from([RULE, OTHER]),
    st.dictionaries(st.sampled_from(["v1", "v2", "v10"]), st.sampled_from(["cite", "sign"]), min_size=1),
)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [("v9", "v10"), ("1", "12"), ("2026-01-31", "2026-02-01"), ("1.9.3", "1.10.0"), ("v1", "v1.1"), ("", "a")],
)
def test_versions_are_counted_as_people_count_them(earlier: str, later: str) -> None:
    assert latest([earlier, later]) == latest([later, earlier]) == later


def test_a_rule_that_says_something_else_has_moved_on() -> None:
    canon = {RULE: {"v1": "cite", "v2": "cite", "v10": "sign"}}
    assert following(RuleRef(RULE, "v1"), canon) == RuleRef(RULE, "v10")
    assert following(RuleRef(RULE, "v10"), canon) is None


def test_a_rule_that_is_carried_over_unchanged_has_not() -> None:
    canon = {RULE: {"v1": "cite", "v2": "cite"}}
    assert following(RuleRef(RULE, "v1"), canon) is None
    assert surviving([RuleRef(RULE, "v1")], canon) == {RuleRef(RULE, "v1")}


def test_whoever_refers_to_the_new_version_too_has_looked_at_it() -> None:
    canon = {RULE: {"v1": "cite", "v2": "sign"}}
    assert replaced([RuleRef(RULE, "v1")], canon) == {RuleRef(RULE, "v1"): RuleRef(RULE, "v2")}
    assert replaced([RuleRef(RULE, "v1"), RuleRef(RULE, "v2")], canon) == {}


@given(st.frozensets(refs), canons)
def test_a_reference_survives_or_was_replaced_and_never_both(
    held: frozenset[RuleRef], canon: dict[UUID, dict[str, str]]
) -> None:
    lives, moved = surviving(held, canon), replaced(held, canon)
    assert not lives & moved.keys()
    assert lives <= held
    for old, new in moved.items():
        assert canon[old.rule_id][new.version] != canon[old.rule_id][old.version]
        assert latest([old.version, new.version]) == new.version
