"""What a reader of another context is answered."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.domain.discipline import Reader
from lamina.domain.quoting import quoted_in_chat
from lamina.domain.sanitization.hedging import Unknown
from lamina.domain.sanitization.passage import Effect, Passage


@dataclass(frozen=True, slots=True)
class Answer:
    """The statements that arrived, what the gates did on the way, and that it is not known if it is not."""

    question: str
    reader: Reader
    passages: tuple[Passage, ...] = ()
    manifest: tuple[Effect, ...] = ()
    unknown: Unknown | None = None

    @property
    def text(self) -> str:
        """The answer for a chat. Each statement is quoted: whatever it says, it is said by memory and asks for nothing.

        A reader is not told what stayed behind: that there is something would be an answer too.
        """
        if self.unknown:
            return self.unknown.text
        return "\n".join(f"- {quoted_in_chat(passage.text)}" for passage in self.passages)
