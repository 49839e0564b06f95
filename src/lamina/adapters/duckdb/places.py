"""Where a file is, as its log is beside it, and which file that is."""

from __future__ import annotations

from pathlib import Path

from lamina.domain.errors import StoreUnavailable


def place_of(path: str) -> Path:
    """Where a file is, however it is called."""
    try:
        place = Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreUnavailable(path, f"is no path: {error}", "give one of a file") from error
    if "?" in str(place):
        raise StoreUnavailable(path, "has a ? in it, and DuckDB would look for its log elsewhere", "rename it")
    return place


def identity_of(place: Path) -> tuple[int, int] | None:
    """Which file that is, by whatever of its names; None if none is seen there."""
    try:
        status = place.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
