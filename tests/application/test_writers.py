"""Many writers of one claim, in threads and in processes: one live record in the end, and every write in its chain."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from tests.application.conftest import EMBEDDER

import lamina
from lamina.domain.ids import MemoryId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.state import successor

if TYPE_CHECKING:
    from tests.conftest import Server, Template

WRITERS, VALUES = 8, 10
Write = Callable[[int], lamina.Outcome]


def claim(number: int) -> lamina.Claim:
    return lamina.Claim("operator 7", "style", f"style {number}")


def preferring(kyc: lamina.AnchoredMemory) -> Write:
    return lambda number: kyc.prefer(f"Style {number}", claim=claim(number))


def proposing(kyc: lamina.AnchoredMemory) -> Write:
    """Facts that two sessions speak for, so that each is granted at once."""
    seen = [kyc.session().observe(f"Somebody saw it {number} times").id for number in range(2)]
    return lambda number: kyc.propose(f"Style {number}", claim=claim(number), because=seen)


def check_chain(kyc: lamina.AnchoredMemory, ids: Iterable[MemoryId]) -> None:
    """From the first to the last each took the place of one other, and the last one alone is live."""
    written = set(ids)
    assert len(written) == WRITERS * VALUES, "every write has a record of its own"
    with kyc._resources.store.reading(kyc.anchor) as unit:
        records = unit.records.get(written)
        (live,) = unit.records.with_claim(next(iter(records.values())).typology, claim(0).key)
    assert records.keys() == written
    following = {id_: successor(record.state) for id_, record in records.items()}
    assert [id_ for id_, after in following.items() if after is None] == [live.id]
    (first,) = written - set(following.values())
    assert [chapter.record.id for chapter in kyc.history(first)][-1] == live.id
    assert len(kyc.history(first)) == len(written), "none is left out of the chain"


@pytest.mark.parametrize("writing", [preferring, proposing])
def test_threads_end_with_one_live_record_and_lose_no_write(
    kyc: lamina.AnchoredMemory, writing: Callable[[lamina.AnchoredMemory], Write]
) -> None:
    write = writing(kyc)
    with ThreadPoolExecutor(WRITERS) as pool:
        outcomes = list(pool.map(write, range(WRITERS * VALUES)))
    decisions = [outcome.decision for outcome in outcomes]
    assert decisions.count(lamina.Decision.ADD) == 1
    assert decisions.count(lamina.Decision.UPDATE) == WRITERS * VALUES - 1
    check_chain(kyc, [outcome.id for outcome in outcomes])


PROCESS = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
url, first, values = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with lamina.open(url, spec=lamina.WORLD_AGENT, embedder=HashingEmbedder()) as memory:
    kyc = memory.at(org_id="acme", domain_id="kyc")
    print("ready", flush=True)
    sys.stdin.readline()
    def write(number):
        said = kyc.prefer(f"Style {number}", claim=lamina.Claim("operator 7", "style", f"style {number}"))
        return str(said.require().id)
    with ThreadPoolExecutor(2) as pool:
        print(json.dumps(list(pool.map(write, range(first, first + values)))))
"""


def test_processes_end_with_one_live_record_and_lose_no_write(postgres_server: Server, template: Template) -> None:
    """Four processes, each with two writers. Only Postgres takes several."""
    model = EmbeddingChoice(model=EMBEDDER.model, dimension=EMBEDDER.dimension)
    database = postgres_server.database(template(lamina.WORLD_AGENT, model).name)
    each = 2 * VALUES
    commands = [
        [sys.executable, "-c", PROCESS, database.url, str(first), str(each)]
        for first in range(0, WRITERS * VALUES, each)
    ]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for command in commands
    ]
    # They begin when all of them are there.
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    outputs = []
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        outputs.append(process.communicate()[0])
        assert process.returncode == 0
    ids = [MemoryId(UUID(id_)) for output in outputs for id_ in json.loads(output)]
    with lamina.open(database.url, spec=lamina.WORLD_AGENT, embedder=EMBEDDER) as memory:
        check_chain(memory.at(org_id="acme", domain_id="kyc"), ids)
    database.drop()
