"""The worker's entrypoint, and the only place that knows both contexts: it composes one out of the other."""

from __future__ import annotations

import sys
import threading

import lamina
from two_contexts.operations.chat import Chat
from two_contexts.worlds.agent import learn

QUESTIONS = ("What does the conformity gate require?", "How are reports written?", "Who audits dormant accounts?")


def work(memory: lamina.Memory, stop: threading.Event) -> None:
    """Lets the World Agent learn, then answers an operator and a customer."""
    world = memory.at(org_id="acme", domain_id="kyc")
    learn(world)
    for reader in ("operator", "customer"):
        # Bound here, once: nothing that the chat says can name another anchor, or make a customer an operator.
        chat = Chat(world.runner(reader))
        for question in QUESTIONS:
            if stop.is_set():
                return
            sys.stdout.write(f"{reader} {chat.reply(question)}\n")


if __name__ == "__main__":
    lamina.run_worker(work, ":memory:", lamina.WORLD_AGENT)
