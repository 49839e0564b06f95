"""`lamina bench locomo` on a file of its format that is written here."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from lamina.domain.errors import LaminaError, SettingsError, WrongModel
from lamina.entrypoints.bench.locomo import read
from lamina.entrypoints.bench.measures import Answer, gain, newer_first, quantile, recall_at, recall_within
from lamina.entrypoints.bench.plot import bars
from lamina.entrypoints.cli.app import app

SAMPLE = [
    {
        "sample_id": "tiny",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bob",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a puppy from the shelter"},
                {"speaker": "Bob", "dia_id": "D1:2", "text": "What is it called?"},
                {"speaker": "Ann", "dia_id": "D1:3", "text": "Biscuit"},
            ],
            "session_2_date_time": "9:05 am on 25 May, 2023",
            "session_2": [
                {"speaker": "Bob", "dia_id": "D2:1", "text": "My tomatoes are huge this year"},
                {"speaker": "Ann", "dia_id": "D2:2", "text": "The puppy ate my shoes"},
            ],
        },
        "qa": [
            {"question": "What did Ann adopt?", "answer": "a puppy", "evidence": ["D1:1"], "category": 4},
            {"question": "What did the puppy do?", "answer": "x", "evidence": ["D1:1; D2:2"], "category": 1},
            {"question": "What grows at Bob's?", "answer": "x", "evidence": ["D:2:1", "D2:1"], "category": 2},
            {"question": "What did Bob adopt?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
            {"question": "Who knows?", "answer": "x", "evidence": ["D"], "category": 3},
            {"question": "Nobody?", "answer": "x", "evidence": [], "category": 3},
        ],
    }
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.json"
    file.write_text(json.dumps(SAMPLE), encoding="utf-8")
    return file


def test_a_file_is_read_as_it_is_published(path: Path) -> None:
    (conversation,) = read(path)
    assert [len(sitting.turns) for sitting in conversation.sittings] == [3, 2]
    assert conversation.sittings[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert [question.evidence for question in conversation.questions] == [
        ("D1:1",),
        ("D1:1", "D2:2"),
        ("D2:1",),
        ("D1:1",),
    ]


@pytest.mark.parametrize(
    "text", ["not json", "[" * 200_000, '[{"conversation": 3}]', '[{"conversation": {}, "qa": [{}]}]']
)
def test_another_file_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match="is no LoCoMo file"):
        read(file)
    with pytest.raises(SettingsError, match="cannot be read"):
        read(tmp_path / "nowhere.json")


def _changed(**parts: object) -> list[dict[str, object]]:
    return [{**SAMPLE[0], **parts}]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ([], "asks nothing that it has the evidence of"),
        ({}, "asks nothing"),
        (_changed(qa=[]), "asks nothing"),
        (_changed(qa=[{"question": "Who?", "evidence": ["D1:1"], "category": 5}]), "asks nothing"),
        (_changed(qa=[{"question": "Who?", "evidence": ["D1:1"], "category": 7}]), "'Who\\?' is of category 7"),
        (_changed(qa=[{"question": None, "evidence": ["D1:1"], "category": 1}]), "question of tiny is a NoneType"),
    ],
)
def test_a_file_that_cannot_be_asked_is_named(tmp_path: Path, content: object, says: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(LaminaError, match=says):
        read(file)


@pytest.mark.parametrize(("text", "says"), [(3, "is a int"), ("x" * 5_000, "5,000 characters, 4,000 is the bound")])
def test_a_turn_that_cannot_be_written_is_named(tmp_path: Path, text: object, says: str) -> None:
    conversation = {**SAMPLE[0]["conversation"], "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": text}]}  # type: ignore[dict-item]
    file = tmp_path / "other.json"
    file.write_text(json.dumps(_changed(conversation=conversation)), encoding="utf-8")
    with pytest.raises(LaminaError, match=f"turn D2:1 of tiny {says}|turn D2:1 of tiny has {says}"):
        read(file)


@pytest.mark.parametrize(
    ("more", "says"),
    [(["--store", ":memory:"], "gone before it is asked"), (["--plot", "/nowhere/x.svg"], "no such folder")],
)
def test_what_would_fail_in_the_end_is_said_first(path: Path, more: list[str], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        CliRunner().invoke(app, ["bench", "locomo", str(path), *more], catch_exceptions=False)


def test_the_command_prints_every_figure_and_draws(path: Path, tmp_path: Path) -> None:
    plot = tmp_path / "worth.svg"
    done = CliRunner().invoke(app, ["bench", "locomo", str(path), "--json", "--plot", str(plot)])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["answerable"]["questions"] == 3
    assert found["answerable"]["recall@10"] == 1.0
    assert set(found["by_category"]) == {"multi-hop", "temporal", "single-hop", "adversarial"}
    for name in ("recall_any@5", "recall_all@50", "ndcg@10", "recall_in_1000_tokens"):
        assert 0 <= found["macro"][name] <= 1
    assert found["newer_first_pairs"] == 1
    assert found["p50_ms"] <= found["p95_ms"]
    assert {"all signals", "without neighbourhood", "only semantic"} <= set(found["ablation"])
    assert ElementTree.fromstring(plot.read_text(encoding="utf-8")).tag.endswith("svg")


def test_the_command_prints_tables_and_keeps_a_store(path: Path, tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    for _ in range(2):
        done = CliRunner().invoke(app, ["bench", "locomo", str(path), "--store", str(store)])
        assert done.exit_code == 0, done.output
        assert "recall_all@20" in done.stdout
        assert "without lexical" in done.stdout
    assert store.exists()


def test_what_is_piped_is_not_cut(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = CliRunner().invoke(app, ["bench", "locomo", str(path), "--embedder", "hashing"])
    (heads,) = (line for line in done.stdout.splitlines() if "macro" in line and "1-4" in line)
    assert [head.strip() for head in heads.split("\u2503")[2:-1]] == [
        "1-4",
        "macro",
        "multi-hop",
        "temporal",
        "single-hop",
        "adversarial",
    ]


def test_another_model_is_measured_if_it_is_named(path: Path, tmp_path: Path) -> None:
    kept = ["bench", "locomo", str(path), "--json", "--store", str(tmp_path / "kept.duckdb")]
    done = CliRunner().invoke(app, [*kept, "--embedder", "hashing"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["answerable"]["questions"] == 3
    with pytest.raises(WrongModel, match="hashing"):
        CliRunner().invoke(app, kept, catch_exceptions=False)


ANSWER = Answer(1, ("a", "b"), ("x", "a", "y"), ("x", "a", "y", "b"), (10, 20, 30, 40), 0.1)


def test_measures_are_the_textbooks() -> None:
    assert recall_at(ANSWER, 2) == 0.5
    assert recall_at(ANSWER, 20) == 1.0
    assert recall_within(ANSWER, 59) == 0.5
    assert recall_within(ANSWER, 100) == 1.0
    assert gain(ANSWER) == pytest.approx(0.6309 / 1.6309, abs=1e-4)
    days = {"a": datetime(2023, 1, 1, tzinfo=UTC), "b": datetime(2023, 2, 1, tzinfo=UTC)}
    assert newer_first([(ANSWER, days)]) == (0, 1)
    assert newer_first([(Answer(1, ("a", "b"), (), ("b", "a"), (1, 1), 0.1), days)]) == (1, 1)
    assert newer_first([(Answer(1, ("a", "b"), (), (), (), 0.1), days)]) == (0, 0)
    assert [quantile([3.0, 1.0, 2.0], share) for share in (0, 0.5, 0.95)] == [1.0, 2.0, 3.0]


def test_a_drawing_escapes_what_it_is_told() -> None:
    drawn = bars("a < b", {"one & all": 1.0, "less": 0.5}, "one & all")
    assert ElementTree.fromstring(drawn) is not None
    assert "(-0.500)" in drawn
