"""What every store keeps its word on about rules that may be referred to and never copied (P13, D8)."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.domain.discipline import CONTAINMENT, FEWEST_PHRASES, SHADOW_FLOOR
from lamina.domain.errors import ContainsRule, ShadowsRule
from lamina.domain.references import RuleRef
from lamina.domain.trigram import similarity
from lamina.domain.words import phrases, share_held
from lamina.ports.records import Entry
from lamina.ports.store import Store
from lamina.testing.contracts.records import SHARED
from lamina.testing.samples import anchor, record, rule, uuid

BODY = (
    "A proposal is promoted to the authoritative tier only if each of its claims carries a citation of an "
    "authoritative source that was retrieved within the last ninety days."
)
LONG = (
    "Whoever changes a threshold records the test that asked for it, the operator who agreed, and the day on which it "
    "is looked at again. A threshold that nobody has looked at for a quarter goes back to the value it had before, "
    "and the change that set it is listed among those that were not kept, with the name of the domain it was made for."
)
PADDING = (
    "What follows came up when we went through last week's runs, one after another, and looked for the odd ones out."
)
# Twenty different words of three letters have twenty times four trigrams, so similarities here are exact fractions.
WORDS = [
    f"{a}{b}{c}" for a, b, c in zip("abcdefghijklmnopqrst", "bcdefghijklmnopqrstu", "cdefghijklmnopqrstuv", strict=True)
]


def prose() -> st.SearchStrategy[str]:
    """Texts that share some words, some of them not ASCII."""
    words = st.sampled_from(
        ["gate", "gates", "Gate", "citation", "zitat", "Überprüfung", "東京", "ninety", "90", "ß", "—"]
    )
    return st.lists(words, min_size=1, max_size=12).map(" ".join)


def long_prose() -> st.SearchStrategy[str]:
    """Texts long enough to be compared by phrases, in several scripts and disguises."""
    words = st.sampled_from(
        [
            "gate",
            "Gate",
            "citation",
            "Überprüfung",
            "東京",
            "ninety",
            "90",
            "ß",
            "—",
            "cіtаtіоn",
            "zero\u200bwidth",
            "İı",
            "Σς",
        ]
    )
    return st.lists(words, min_size=1, max_size=60).map(" ".join)


class CanonicalRulesContract:
    """Rules can be read, and a body that copies one cannot be written."""

    def test_rules_come_back(self, store: Store) -> None:
        known = rule("r", BODY)
        with store.unit(anchor()) as unit:
            unit.rules.add([known])
        with store.unit(anchor()) as unit:
            assert unit.rules.get([known.ref, RuleRef(uuid("nowhere"), "v1")]) == [known]
        with store.unit(anchor("other")) as unit:
            assert unit.rules.get([known.ref]) == []

    def test_the_closest_rule_is_found_with_its_exact_similarity(self, store: Store) -> None:
        rules = [rule("r", BODY), rule("s", "Something else entirely."), rule("t", "Überprüfung der Schwellenwerte")]
        with store.unit(anchor()) as unit:
            assert unit.rules.closest(BODY) is None
            unit.rules.add(rules)
        for text in (BODY, BODY[:80], "etwas über Schwellenwerte", "Something"):
            expected = max(rules, key=lambda one: similarity(text, one.body))
            with store.unit(anchor()) as unit:
                assert unit.rules.closest(text) == (expected, similarity(text, expected.body))

    @settings(max_examples=25, deadline=None, suppress_health_check=SHARED)
    @given(st.lists(prose(), min_size=1, max_size=5), prose())
    def test_no_rule_is_closer_than_the_closest(self, store: Store, bodies: list[str], text: str) -> None:
        whose = anchor("acme", str(uuid4()))
        with store.unit(whose) as unit:
            unit.rules.add([rule(f"rule {number}", body) for number, body in enumerate(bodies)])
        with store.unit(whose) as unit:
            closest = unit.rules.closest(text)
        assert closest is not None
        assert closest[1] == similarity(text, closest[0].body) == max(similarity(text, body) for body in bodies)

    @pytest.mark.parametrize("text", [BODY, BODY.upper(), f"  {BODY}!!", BODY.replace("ninety", "thirty")])
    def test_a_copy_is_refused_with_the_rule_to_refer_to(self, store: Store, text: str) -> None:
        known = rule("r", BODY)
        with store.unit(anchor()) as unit:
            unit.rules.add([known])
        with pytest.raises(ShadowsRule, match=str(known.ref.rule_id)), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("innocent")), Entry(record("copy", body=text))])
        with store.unit(anchor()) as unit:
            assert unit.records.get([record("innocent").id]) == {}

    def test_reasoning_about_a_rule_is_admitted(self, store: Store) -> None:
        note = "Operators keep missing the ninety days in the citation rule; a reminder at draft time would help them."
        with store.unit(anchor()) as unit:
            unit.rules.add([rule("r", BODY)])
            unit.records.add([Entry(record("note", body=note))])

    def test_below_the_floor_nothing_is_compared(self, store: Store) -> None:
        short = BODY[:99]
        with store.unit(anchor()) as unit:
            unit.rules.add([rule("r", short)])
            unit.records.add([Entry(record("short", body=short))])
        with pytest.raises(ShadowsRule), store.unit(anchor()) as unit:
            unit.rules.add([rule("s", BODY[:100])])
            unit.records.add([Entry(record("long", body=BODY[:100]))])

    def test_a_similarity_of_exactly_the_threshold_is_admitted(self, store: Store) -> None:
        # 17 words of 20, in another order: padded to the floor with punctuation, which has no trigrams.
        body = " ".join(reversed(WORDS[:17])) + "." * 60
        assert similarity(body, " ".join(WORDS)) == similarity("abc", "abc") * 0.8500000238418579
        with store.unit(anchor()) as unit:
            unit.rules.add([rule("r", " ".join(WORDS))])
            unit.records.add([Entry(record("threshold", body=body))])
        with pytest.raises(ShadowsRule), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("over", body=" ".join(reversed(WORDS[:18])) + "." * 60))])

    def test_every_copy_of_a_batch_is_told(self, store: Store) -> None:
        known = rule("r", BODY)
        with store.unit(anchor()) as unit:
            assert unit.rules.copied_by([BODY]) == [None]
            unit.rules.add([known, rule("s", "Something else entirely.")])
        near = BODY.replace("ninety", "thirty")
        with store.unit(anchor()) as unit:
            found = unit.rules.copied_by([BODY, BODY[:99], "an honest note", near])
            assert found == [(known.ref, 1.0), None, None, (known.ref, similarity(near, BODY))]
            assert unit.rules.copied_by([]) == []

    @pytest.mark.parametrize(
        "text",
        [
            LONG[: len(LONG) // 2],
            LONG[len(LONG) // 2 :],
            f"{PADDING} {BODY} {PADDING}",
            f"{PADDING} {BODY.upper().replace('o', 'о')} {PADDING}",
            f"{PADDING} {BODY.replace(' ', chr(0x200B) + ' ')} {PADDING}",
        ],
    )
    def test_a_half_quote_and_a_padded_copy_are_refused_by_containment(self, store: Store, text: str) -> None:
        with store.unit(anchor()) as unit:
            unit.rules.add([rule("r", BODY), rule("long", LONG), rule("s", "Something else entirely.")])
            assert unit.rules.copied_by([text]) == [None], "D8 lets it through"
        with pytest.raises(ContainsRule, match="of the phrases of rule"), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("innocent")), Entry(record("quote", body=text))])
        with store.unit(anchor()) as unit:
            assert unit.records.get([record("innocent").id]) == {}

    def test_every_quote_of_a_batch_is_told_with_its_share(self, store: Store) -> None:
        known = rule("long", LONG)
        half = LONG[: len(LONG) // 2]
        with store.unit(anchor()) as unit:
            assert unit.rules.held_by([half]) == [None]
            short, turn = rule("short", BODY[:60]), rule("turn of speech", "What follows came up when we went")
            unit.rules.add([known, short, turn])
        with store.unit(anchor()) as unit:
            found = unit.rules.held_by([half, BODY[:60], PADDING, f"{BODY[:60]} {PADDING}", LONG])
            assert found == [(known.ref, share_held(LONG, half)), None, None, (short.ref, 1.0), (known.ref, 1.0)]
            assert unit.rules.held_by([]) == []
        with store.unit(anchor("other")) as unit:
            assert unit.rules.held_by([half, LONG]) == [None, None], "another anchor's rules do not matter"

    @settings(max_examples=25, deadline=None, suppress_health_check=SHARED)
    @given(st.lists(long_prose(), min_size=1, max_size=4), long_prose())
    def test_the_share_is_the_domains(self, store: Store, bodies: list[str], text: str) -> None:
        whose = anchor("acme", str(uuid4()))
        with store.unit(whose) as unit:
            unit.rules.add([rule(f"rule {number}", body) for number, body in enumerate(bodies)])
        with store.unit(whose) as unit:
            (found,) = unit.rules.held_by([text])
        comparable = [body for body in bodies if len(text) >= SHADOW_FLOOR and len(phrases(body)) >= FEWEST_PHRASES]
        most = max((share_held(body, text) for body in comparable), default=0.0)
        assert (found[1] if found else 0.0) == (most if most >= CONTAINMENT else 0.0)

    def test_another_anchors_rules_do_not_matter(self, store: Store) -> None:
        with store.unit(anchor("other")) as unit:
            unit.rules.add([rule("r", BODY)])
        with store.unit(anchor()) as unit:
            assert unit.rules.closest(BODY) is None
            unit.records.add([Entry(record("mine", body=BODY))])

    def test_a_rule_that_changed_is_compared_as_it_is_now(self, store: Store) -> None:
        with store.unit(anchor()) as unit:
            unit.rules.add([rule("r", "Something else entirely.")])
            unit.rules.add([replace(rule("r", BODY), ref=RuleRef(uuid("r"), "v2"))])
        with pytest.raises(ShadowsRule, match="v2"), store.unit(anchor()) as unit:
            unit.records.add([Entry(record("copy", body=BODY))])
