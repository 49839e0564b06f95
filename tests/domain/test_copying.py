"""A record is not copied, not nearly and not inside something longer; what is thought about it is no copy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.copying import copied, refused_copy
from lamina.domain.discipline import Canonical, NonMirror
from lamina.domain.words import words

ROW = "2026-03-01 09:14 operator 7 approved change set 19 for domain kyc after review by operator 3"
SIGNAL = (
    "Override pattern: reviewers in the branch office accept scanned passports whose machine readable zone fails its "
    "check digit, whenever the customer relationship is older than ten years and no alert was raised before."
)


@pytest.mark.parametrize(
    ("body", "how"),
    [
        (ROW, "word for word"),
        (ROW.upper().replace(":", " "), "word for word"),
        (ROW.replace("o", "о"), "word for word"),
        (f"Seen in the trail today: {ROW}. Odd.", "all of it"),
        (ROW.replace("approved", "approves"), "similarity"),
        (SIGNAL.replace("ten", "nine"), "similarity"),
        (SIGNAL[: len(SIGNAL) * 6 // 10], "of its phrases"),
        (f"{SIGNAL[20:150]} and that is what I mean to look into next week with all of the others", "of its phrases"),
    ],
)
def test_a_copy_is_told(body: str, how: str) -> None:
    canonical = ROW if "operator" in body.lower() or "оperatоr" in body else SIGNAL
    found = copied(body, canonical)
    assert found is not None
    assert how in found


@pytest.mark.parametrize(
    "thought",
    [
        "Operator 7 approves quickly when operator 3 has reviewed before; change set 19 was one of several.",
        "Change set 19 was approved without a second look",
        "approved",
        "Old customers get away with unreadable passports: the override looks like a habit of one branch office.",
        "",
        "—",
    ],
)
def test_reasoning_is_admitted(thought: str) -> None:
    assert copied(thought, ROW) is None
    assert copied(thought, SIGNAL) is None


def test_a_short_record_is_only_copied_word_for_word() -> None:
    assert copied("Approved.", "approved")
    assert copied("It was approved by two people", "approved by two") is None


@given(st.text(max_size=300))
def test_every_text_with_words_copies_itself(text: str) -> None:
    assert (copied(text, text) is not None) == bool(words(text))


def test_a_refusal_names_category_match_and_reference() -> None:
    refusal = refused_copy(NonMirror(category=Canonical.AUDIT_CHAIN, refer_by="an action link"), "row 12", "all of it")
    assert refusal.rule == "audit-chain"
    assert refusal.reason == "it copies row 12 (all of it); audit-chain is not copied: refer by an action link"
