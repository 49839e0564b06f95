"""Personal data and secrets in a text, told by the libraries that know each kind; nothing leaves the process.

phonenumbers knows phone numbers, python-stdnum what has a check digit, and detect-secrets, where it is installed (extra
`privacy`), keys and tokens. An address for mail has no library that finds it in a text: that pattern is ours. Names of
people take a model: plug a detector of your own in for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from lamina.domain.personal_data import Found, apart
from lamina.domain.undisguised import undisguised

EMAIL: Final = re.compile(
    r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}", re.IGNORECASE
)
CARD: Final = re.compile(r"(?<![\w.-])(?<!\d )[2-6]\d{3}(?:[ -]?\d){10,12}(?![\w-]| \d)")
IBAN: Final = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)", re.IGNORECASE)
SSN: Final = re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")
NUMBER: Final = re.compile(r"\d(?:[\d ().-]{5,}\d|(?<=[A-Za-z]{2}\d)\d ?[A-Za-z0-9]{4})")
"""Of a phone or a card, or, behind two letters, of an account. It begins with a digit: most texts are soon done."""
SHORTEST_TOKEN: Final = 16
"""No key or token is shorter."""
# fmt: off
_TOKENS: Final = (
    "artifactory", "aws", "azure_storage_key", "basic_auth", "discord", "github_token", "gitlab_token", "jwt",
    "mailchimp", "npm", "openai", "private_key", "pypi_token", "sendgrid", "slack", "square_oauth", "stripe",
    "telegram_token", "twilio",
)
# fmt: on


class OfflineDetector:
    """What can be told by its form or its check digit. `region` says how numbers without a country code are read."""

    def __init__(self, region: str = "US") -> None:
        self._region = region

    def find(self, texts: Sequence[str]) -> list[Sequence[Found]]:
        """For each text, each piece of personal data in it."""
        return [self._find(text) for text in texts]

    def _find(self, text: str) -> Sequence[Found]:
        plain, places = undisguised(text)
        if not _may_hold_some(plain):
            return ()
        found = [one for kind in self._kinds() for one in kind(plain)]
        return [Found(places[one.start], places[one.end], one.kind) for one in apart(found)]

    def _kinds(self) -> Sequence[Callable[[str], Iterator[Found]]]:
        return (_emails, _cards, _accounts, _social_security, self._phones, _secrets)

    def _phones(self, text: str) -> Iterator[Found]:
        from phonenumbers import Leniency, PhoneNumberMatcher  # noqa: PLC0415 (a large table, and seldom needed)

        for match in PhoneNumberMatcher(text, self._region, leniency=Leniency.STRICT_GROUPING):
            # Digits alone are as often the number of something else.
            if not match.raw_string.isdigit():
                yield Found(match.start, match.end, "phone number")


def _may_hold_some(text: str) -> bool:
    """Nearly every text has nothing of this in it, and is done with at once."""
    if "@" in text or "PRIVATE KEY" in text or NUMBER.search(text):
        return True
    return max(map(len, text.split()), default=0) >= SHORTEST_TOKEN


def _emails(text: str) -> Iterator[Found]:
    return (Found(*match.span(), "email address") for match in EMAIL.finditer(text) if "@" in text)


def _cards(text: str) -> Iterator[Found]:
    from stdnum import luhn  # noqa: PLC0415 (seldom needed)

    for match in CARD.finditer(text):
        if luhn.is_valid(re.sub(r"\D", "", match[0])):
            yield Found(*match.span(), "payment card")


def _accounts(text: str) -> Iterator[Found]:
    from stdnum import iban  # noqa: PLC0415 (seldom needed)

    for match in IBAN.finditer(text):
        # The pattern may reach into the words behind it: the longest part with a right check digit counts.
        ends = [end.start() + match.start() for end in re.finditer(r" |$", match[0])]
        right = [end for end in ends if iban.is_valid(text[match.start() : end])]
        if right:
            yield Found(match.start(), right[-1], "bank account")


def _social_security(text: str) -> Iterator[Found]:
    from stdnum.us import ssn  # noqa: PLC0415 (seldom needed)

    for match in SSN.finditer(text):
        if ssn.is_valid(match[0]):
            yield Found(*match.span(), "social security number")


def _secrets(text: str) -> Iterator[Found]:
    return (Found(*match.span(), "secret") for pattern in _token_patterns() for match in pattern.finditer(text))


@cache
def _token_patterns() -> Sequence[re.Pattern[str]]:
    """What keys and tokens of known issuers look like; none without detect-secrets."""
    if find_spec("detect_secrets") is None:
        return ()
    base = import_module("detect_secrets.plugins.base").RegexBasedDetector
    modules = [import_module(f"detect_secrets.plugins.{name}") for name in _TOKENS]
    kinds = {kind for module in modules for kind in vars(module).values() if _is_detector(kind, base)}
    return [pattern for kind in sorted(kinds, key=lambda kind: kind.__name__) for pattern in kind().denylist]


def _is_detector(kind: object, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base) and kind is not base


if TYPE_CHECKING:
    from lamina.ports.personal_data import PersonalData

    _: type[PersonalData] = OfflineDetector
