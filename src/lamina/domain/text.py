"""What a text must be before anything keeps it."""

from __future__ import annotations

import unicodedata

from lamina.domain.errors import BlankText, ForbiddenCharacter, TextTooLong, WrongType

_INVISIBLE = {"Cc", "Cf", "Zs", "Zl", "Zp"}


def checked_text(text: str, where: str, at_most: int) -> str:
    """The text itself, if it can be stored and read back as it is."""
    if not isinstance(text, str):
        raise WrongType(where, f"is a {type(text).__name__}", "give a string")
    # Nearly every text is plain and begins with something visible: this is done for every part of every record.
    if len(text) <= at_most and text.isascii() and text[:1].isalnum() and "\0" not in text:
        return text
    if len(text) > at_most:
        raise TextTooLong(
            where,
            f"has {len(text):,} characters, {at_most:,} is the bound",
            "shorten it, or refer to it instead",
        )
    check_characters(text, where)
    if is_blank(text):
        raise BlankText(where, "has nothing visible in it", "give it at least one visible character")
    return text


def check_characters(text: str, where: str) -> None:
    """Refuses what UTF-8 or a database text column cannot hold."""
    if "\0" in text:
        raise ForbiddenCharacter(where, f"has a NUL byte at {text.index(chr(0))}", "remove it")
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ForbiddenCharacter(
            where,
            f"has half of a surrogate pair at {error.start}",
            "decode its source as UTF-8 (or with errors='replace')",
        ) from error


def is_blank(text: str) -> bool:
    """Whether a reader would see nothing: white space, control and zero-width characters only."""
    return all(unicodedata.category(character) in _INVISIBLE for character in text)


def folded(text: str) -> str:
    """The form in which two texts are the same name: compatibility, case and white space folded."""
    if text.isascii():
        return " ".join(text.lower().split())
    # Folding case can undo normalization, so it is normalized again.
    caseless = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(caseless.split())
