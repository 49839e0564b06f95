"""Settings come from arguments, then from the environment, then from a file."""

from pathlib import Path

import pytest

import lamina
from lamina.adapters.embedding.bundled import BundledEmbedder
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.composition.embedders import find_embedder
from lamina.composition.settings import Settings, read_settings
from lamina.domain.errors import BlankText, SettingsError, StoreUnavailable, UnknownKey


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for variable in ("LAMINA_STORE", "LAMINA_SPEC", "LAMINA_EMBEDDER", "LAMINA_CONFIG"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def test_nothing_is_set_by_default() -> None:
    assert read_settings({}) == Settings(None, None, None)


def test_the_environment_goes_before_the_file(elsewhere: Path) -> None:
    (elsewhere / "lamina.toml").write_text('store = "of the file"\nspec = "world_agent"\n')
    assert read_settings({"LAMINA_STORE": "of the environment"}) == Settings("of the environment", "world_agent", None)
    assert read_settings({"LAMINA_STORE": ""}).store == "of the file", "an empty variable sets nothing"


def test_another_file_can_be_named(elsewhere: Path) -> None:
    (elsewhere / "other.toml").write_text('embedder = "hashing"\n')
    assert read_settings({"LAMINA_CONFIG": "other.toml"}) == Settings(embedder="hashing")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("store = ", r"lamina.toml is not TOML: .*; correct it there"),
        ('stroe = "x"', r"lamina.toml: 'stroe' is no setting; choose from store, spec, embedder"),
        ("store = 7", r"lamina.toml: store is 7; give a text that is not empty"),
        ('spec = " "', r"lamina.toml: spec is ' '; give a text that is not empty"),
    ],
)
def test_a_file_that_sets_nothing_sensible(elsewhere: Path, text: str, says: str) -> None:
    (elsewhere / "lamina.toml").write_text(text)
    with pytest.raises(SettingsError, match=says):
        lamina.open(":memory:")


def test_a_file_that_is_named_must_be_there() -> None:
    with pytest.raises(SettingsError, match=r"nowhere.toml cannot be read: No such file.*; correct LAMINA_CONFIG"):
        read_settings({"LAMINA_CONFIG": "nowhere.toml"})


def test_no_store_at_all_says_where_to_give_one() -> None:
    with pytest.raises(SettingsError, match="store is not given; give a URL, set LAMINA_STORE, or write store"):
        lamina.open()


def test_what_is_set_is_opened_and_arguments_go_first(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMINA_STORE", "memory.duckdb")
    monkeypatch.setenv("LAMINA_SPEC", "world_agent")
    monkeypatch.setenv("LAMINA_EMBEDDER", "hashing")
    with lamina.open() as memory, memory.at(org_id="acme", domain_id="kyc").session() as session:
        session.observe("it began")
    assert (elsewhere / "memory.duckdb").exists()
    with lamina.open(":memory:", spec=lamina.ASSISTANT_AGENT) as memory:
        memory.at(user_id="ann")


def test_an_unknown_spec_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMINA_SPEC", "moon_agent")
    with pytest.raises(UnknownKey, match="spec 'moon_agent' is not shipped"):
        lamina.open(":memory:")


def test_embedders_by_name() -> None:
    assert isinstance(find_embedder(), BundledEmbedder)
    assert isinstance(find_embedder("hashing"), HashingEmbedder)
    with pytest.raises(StoreUnavailable, match=r"model nobody/nothing (needs sentence-transformers|cannot be loaded)"):
        find_embedder("nobody/nothing")
    with pytest.raises(BlankText, match="embedder"):
        find_embedder(" ")
