"""LoCoMo files: conversations in sessions, and questions that name the turns that answer them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from lamina.domain.agents import ASSISTANT_AGENT
from lamina.domain.errors import SettingsError
from lamina.domain.text import checked_text

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ANSWERABLE: Final = (1, 2, 3, 4)
LONGEST: Final = ASSISTANT_AGENT.persistence.body_bound
"""Characters of a turn: what the memory takes that it is written to."""
_TURN: Final = re.compile(r"D:?(\d+):(\d+)")
_WHEN: Final = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said at one time."""

    id: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session of a conversation."""

    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the turns that answer it."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One sample of the file."""

    name: str
    sittings: tuple[Sitting, ...]
    questions: tuple[Question, ...]

    def days(self) -> dict[str, datetime]:
        """For each turn, when its session was."""
        return {turn.id: sitting.at for sitting in self.sittings for turn in sitting.turns}


def read(path: Path) -> list[Conversation]:
    """The conversations of a file."""
    try:
        samples = json.loads(path.read_text(encoding="utf-8"))
        conversations = [_conversation(place, sample) for place, sample in enumerate(samples)]
    except OSError as error:
        raise SettingsError(str(path), f"cannot be read: {error.strerror}", "give the path of a LoCoMo file") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"is no LoCoMo file: {type(error).__name__} {error}"
        raise SettingsError(str(path), reason, "give one as the benchmark publishes it") from error
    if not any(question.category in ANSWERABLE for one in conversations for question in one.questions):
        raise SettingsError(
            str(path), "asks nothing that it has the evidence of", "give questions of categories 1 to 4"
        )
    return conversations


def _conversation(place: int, sample: Mapping[str, Any]) -> Conversation:
    name = str(sample.get("sample_id", place))
    sittings = tuple(sitting for sitting in _sittings(name, sample["conversation"]) if sitting.turns)
    there = {turn.id for sitting in sittings for turn in sitting.turns}
    questions = (_question(name, one, there) for one in sample["qa"])
    return Conversation(name, sittings, tuple(one for one in questions if one.evidence))


def _sittings(name: str, conversation: Mapping[str, Any]) -> Iterator[Sitting]:
    number = 1
    while f"session_{number}" in conversation:
        at = datetime.strptime(conversation[f"session_{number}_date_time"], _WHEN).replace(tzinfo=UTC)
        yield Sitting(at, tuple(_turn(name, one) for one in conversation[f"session_{number}"]))
        number += 1


def _turn(name: str, one: Mapping[str, Any]) -> Turn:
    where = f"turn {one['dia_id']} of {name}"
    speaker = checked_text(one["speaker"], f"speaker of {where}", at_most=LONGEST)
    return Turn(one["dia_id"], speaker, checked_text(one["text"], where, at_most=LONGEST))


def _question(name: str, one: Mapping[str, Any], there: set[str]) -> Question:
    """Some questions name several turns in one string; a few name none that exists, and are left out."""
    text = checked_text(one["question"], f"question of {name}", at_most=LONGEST)
    category = int(one["category"])
    if category not in CATEGORIES:
        raise ValueError(f"question {text!r} is of category {category}")
    named = [f"D{session}:{turn}" for text in one["evidence"] for session, turn in _TURN.findall(text)]
    return Question(text, category, tuple(dict.fromkeys(id_ for id_ in named if id_ in there)))
