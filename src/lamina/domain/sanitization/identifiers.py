"""What is specific to one deployment: ids, hosts, addresses, paths, accounts, and the deployment's own names.

The shapes here are those of machines, which no library finds in prose without a model; people's data is found by the
`PersonalData` port, and what it finds is stripped the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from lamina.domain.personal_data import Found, apart

_MACHINES: Final = "(?:app|cluster|db|host|ip|node|pod|prod|server|srv|staging|vm|web|worker)"
_SHAPES: Final = {
    "url": r"(?<!\w)(?i:[a-z][a-z0-9+.-]{1,20})://[^\s\"'<>)\]]+",
    "id": r"(?i:(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])|(?<!\w)[0-9a-f]{24,64}(?!\w))",
    "email": r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+",
    "address": r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5}|/\d{1,2})?(?![\w.])"
    r"|(?i:(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}(?![\w:]))",
    "host": r"(?i:(?<![\w.@-])(?:[a-z0-9][a-z0-9-]{0,62}\.)+"
    r"(?:internal|local|lan|corp|cloud|net|com|org|io|dev|app)(?![\w-]))"
    rf"|(?i:(?<![\w.-]){_MACHINES}(?:-[a-z0-9]+)+(?![\w-]))",
    "path": r"(?<![\w/.])(?:/[\w.@-]+){2,}/?|(?<!\w)[A-Z]:\\[\w\\.-]+",
    "account": r"(?<![\w.-])(?:[A-Z]{2,6}-\d{3,}|[A-Z]{1,4}\d{5,}|\d{9,})(?![\w.-])",
}
# All in one, so that a text is read once. Where several begin at one place, the first of them is meant.
_ANY: Final = re.compile("|".join(f"(?P<{kind}>{shape})" for kind, shape in _SHAPES.items()))
# Most texts have nothing of this in them, and are done with at once.
_MAYBE: Final = re.compile(rf"[@/\\]|\d[\d.:]{{4}}|\w\.[a-zA-Z]|[A-Z]-?\d{{3}}|[0-9a-fA-F]{{8}}|(?i:{_MACHINES}-)")


def identifiers(text: str, names: Sequence[str] = ()) -> list[Found]:
    """Each identifier in the text, in order. `names` are the deployment's own: its customer, its sites, its people."""
    return apart([*_shaped(text), *_named(text, names)])


def _shaped(text: str) -> Iterator[Found]:
    if _MAYBE.search(text):
        yield from (Found(*match.span(), match.lastgroup or "") for match in _ANY.finditer(text))


def _named(text: str, names: Sequence[str]) -> Iterator[Found]:
    for name in names:
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        yield from (Found(*match.span(), "name") for match in whole.finditer(text))
