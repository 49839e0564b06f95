"""Personal data is found in its many forms and disguises; what only looks like it is left alone."""

from __future__ import annotations

import pytest

from lamina.adapters.privacy.detector import OfflineDetector
from lamina.domain.personal_data import redacted

DETECTOR = OfflineDetector()


@pytest.mark.parametrize(
    ("text", "kind", "what"),
    [
        ("Write to ann.o'hara+kyc@mail.example.co.uk today", "email address", "ann.o'hara+kyc@mail.example.co.uk"),
        ("ANN@EXAMPLE.ORG", "email address", "ANN@EXAMPLE.ORG"),
        ("she is at +44 20 7946 0958 after five", "phone number", "+44 20 7946 0958"),
        ("call (415) 555-2671 first", "phone number", "(415) 555-2671"),
        ("card 4111 1111 1111 1111 was declined", "payment card", "4111 1111 1111 1111"),
        ("card 4111111111111111", "payment card", "4111111111111111"),
        ("pay to DE89 3704 0044 0532 0130 00 by Friday", "bank account", "DE89 3704 0044 0532 0130 00"),
        ("pay to GB82WEST12345698765432", "bank account", "GB82WEST12345698765432"),
        ("the applicant gave 536-90-4399", "social security number", "536-90-4399"),
        ("deployed with AKIAIOSFODNN7EXAMPLE", "secret", "AKIAIOSFODNN7EXAMPLE"),
        ("token ghp_abcdefghijklmnopqrstuvwxyz0123456789", "secret", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
        ("-----BEGIN RSA PRIVATE KEY-----", "secret", "BEGIN RSA PRIVATE KEY"),
        ("ann\u200b@exa\u00admple.org", "email address", "ann\u200b@exa\u00admple.org"),
        ("аnn＠example．org it says", "email address", "аnn＠example．org"),
        ("card ４１１１ １１１１ １１１１ １１１１", "payment card", "４１１１ １１１１ １１１１ １１１１"),
    ],
)
def test_it_is_found_whole(text: str, kind: str, what: str) -> None:
    (found,) = DETECTOR.find([text])
    assert [(one.kind, text[one.start : one.end]) for one in found] == [(kind, what)]
    assert what not in redacted(text, found)


@pytest.mark.parametrize(
    "text",
    [
        "The gate wants citations, 40 of them, by 2026-03-01 09:30",
        "order 4155552671 and ticket 2026-0101-1234",
        "card 4111 1111 1111 1112 has a wrong check digit",
        "DE89 3704 0044 0532 0130 01 has one too",
        "000-12-3456 was never given out",
        "version 1.22.333.4444 at 10.0.0.1",
        "rule 00000000-0000-0000-0000-000000000007 version v1",
        "counterrevolutionaries and internationalization are long words",
        "threshold@gate",
        "",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    assert DETECTOR.find([text]) == [()] or DETECTOR.find([text]) == [[]]


def test_many_pieces_of_many_texts_keep_their_order() -> None:
    texts = ["nothing", "a@b.org and +1 415 555 2671, or b@c.org", "nothing"]
    none, several, neither = DETECTOR.find(texts)
    assert not none
    assert not neither
    assert redacted(texts[1], several) == "[email address] and [phone number], or [email address]"
