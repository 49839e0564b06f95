"""What is specific to one deployment: ids, hosts, addresses, paths, accounts, and the deployment's own names.

The shapes here are those of machines, which no library finds in prose without a model; people's data is found by the
`PersonalData` port, and what it finds is stripped the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from lamina.domain.personal_data import Found, apart

_SHAPES: Final = {
    "id": re.compile(
        r"(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])|(?<!\w)[0-9a-f]{24,64}(?!\w)", re.IGNORECASE
    ),
    "url": re.compile(r"(?<!\w)[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>)\]]+", re.IGNORECASE),
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"),
    "address": re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5}|/\d{1,2})?(?![\w.])"),
    "address6": re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}(?![\w:])", re.IGNORECASE),
    "host": re.compile(
        r"(?<![\w.@-])(?:[a-z0-9][a-z0-9-]{0,62}\.)+(?:internal|local|lan|corp|cloud|net|com|org|io|dev|app)(?![\w-])"
        r"|(?<![\w.-])(?:app|cluster|db|host|ip|node|pod|prod|server|srv|staging|vm|web|worker)(?:-[a-z0-9]+)+(?![\w-])",
        re.IGNORECASE,
    ),
    "path": re.compile(r"(?<![\w/.])(?:/[\w.@-]+){2,}/?|(?<!\w)[A-Z]:\\[\w\\.-]+"),
    "account": re.compile(r"(?<![\w.-])(?:[A-Z]{2,6}-\d{3,}|[A-Z]{1,4}\d{5,}|\d{9,})(?![\w.-])"),
}
_CALLED: Final = {"address6": "address"}


def identifiers(text: str, names: Sequence[str] = ()) -> list[Found]:
    """Each identifier in the text, in order. `names` are the deployment's own: its customer, its sites, its people."""
    return apart([*_shaped(text), *_named(text, names)])


def _shaped(text: str) -> Iterator[Found]:
    for kind, shape in _SHAPES.items():
        yield from (Found(*match.span(), _CALLED.get(kind, kind)) for match in shape.finditer(text))


def _named(text: str, names: Sequence[str]) -> Iterator[Found]:
    for name in names:
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        yield from (Found(*match.span(), "name") for match in whole.finditer(text))
