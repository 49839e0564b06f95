"""`lamina shadow` explains a verdict, and `lamina calibrate` shows both guards on a corpus of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

import pytest
from typer.testing import CliRunner

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.domain.words import share_held
from lamina.entrypoints.cli.app import app
from lamina.testing.contracts.canonical_rules import BODY, LONG, PADDING

HONEST = "Operators keep missing the ninety days in the citation rule; a reminder at draft time would help all of them."


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = str(tmp_path / "memory.duckdb")
    with lamina.open(path, lamina.WORLD_AGENT, HashingEmbedder()) as memory:
        memory.at(org_id="acme", domain_id="kyc").add_rules(
            [lamina.Rule(lamina.RuleRef(UUID(int=7), "v1"), BODY), lamina.Rule(lamina.RuleRef(UUID(int=8), "v1"), LONG)]
        )
    return path


def shadow(store: str, text: str, *more: str) -> str:
    asked = ["shadow", text, "--store", store, "--spec", "world_agent", "--embedder", "hashing"]
    result = CliRunner().invoke(app, [*asked, *(more or ("--at", "org_id=acme", "--at", "domain_id=kyc"))])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_copy_is_explained(store: str) -> None:
    said = shadow(store, BODY.replace("ninety", "thirty"))
    assert "refused  rule-shadow: similarity 0.9" in said
    assert f"to rule {UUID(int=7)} version v1; over 0.85 is refused" in said
    assert "Instead, refer by a rule reference with its version" in said


def test_a_quote_is_explained(store: str) -> None:
    said = shadow(store, f"{PADDING} {LONG[:200]}")
    assert "admitted  rule-shadow" in said
    assert f"refused  rule-containment: holds {share_held(LONG, LONG[:200]):.0%} of the phrases of" in said
    assert f"rule {UUID(int=8)} version v1; from 35% on is refused" in said


def test_an_honest_text_is_explained_and_nothing_is_written(store: str) -> None:
    said = shadow(store, HONEST)
    assert "refused  " not in said
    assert "admitted  personal-data: none found" in said
    assert "under 100 characters nothing is refused" in shadow(store, "Too short")
    with lamina.open(store, lamina.WORLD_AGENT, HashingEmbedder()) as memory:
        assert memory.at(org_id="acme", domain_id="kyc").recall("operators") == []


def test_personal_data_is_explained(store: str) -> None:
    said = shadow(store, "mail ann@example.org")
    assert "refused  personal-data: has email address at character 5; is to refuse" in said
    assert "there is no rule" in shadow(store, "x", "--at", "org_id=other", "--at", "domain_id=kyc")


def test_a_corpus_is_calibrated(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.json"
    quoting = f"The rule says: {LONG[:180]} and I think that it is right to say so."
    corpus.write_text(json.dumps({"rules": [BODY, LONG], "honest": [HONEST, quoting], "copies": [BODY, LONG[20:230]]}))
    result = CliRunner().invoke(app, ["calibrate", str(corpus)])
    assert result.exit_code == 0, result.output
    said = [" ".join(line.split()) for line in result.output.splitlines()]
    assert "similarity 0.85 * 0 of 2 1 of 2" in said
    assert "containment 0.35 * 1 of 2 0 of 2" in said
    assert any("1 of 2 honest texts refused, 0 of 2 copies let through" in line for line in said)
    assert any(line.startswith("honest, and refused (similarity") and "The rule says:" in line for line in said)


def test_a_corpus_without_copies_is_tried_with_some(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.json"
    corpus.write_text(json.dumps({"rules": [LONG], "honest": [HONEST]}))
    result = CliRunner().invoke(app, ["calibrate", str(corpus)])
    assert result.exit_code == 0, result.output
    assert "of 2 copies let through" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("text", "says"),
    [("{", "is not JSON"), ("[]", "is not a list of texts"), ('{"rules": "x"}', "is not a list of texts")],
)
def test_a_bad_corpus_is_a_sentence(tmp_path: Path, text: str, says: str) -> None:
    corpus = tmp_path / "corpus.json"
    corpus.write_text(text)
    result = CliRunner().invoke(app, ["calibrate", str(corpus)])
    assert result.exit_code == 1
    assert says in str(result.exception)
    assert "cannot be read" in str(CliRunner().invoke(app, ["calibrate", str(tmp_path / "none")]).exception)
