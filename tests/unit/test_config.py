"""Settings: defaults < file < environment < flags."""

from pathlib import Path

import pytest

from oncall_tui import config, locations
from oncall_tui.config import Settings
from oncall_tui.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    file = folder / "settings.toml"
    file.write_text(text, encoding="utf-8")
    return file


def failure(
    file: Path | None = None, environment: dict[str, str] | None = None, overrides: dict[str, object] | None = None
) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        config.load(file, environment or {}, overrides)
    assert caught.value.exit_code == 2
    assert caught.value.hint
    return caught.value


def test_without_any_settings_the_defaults_hold() -> None:
    assert config.load(None, {}) == Settings()


def test_a_file_sets_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    settings = config.load(write(tmp_path, 'limit = 3\nsources = ["/srv/runbooks"]'), {})
    assert settings == Settings(limit=3, sources=("/srv/runbooks",))


def test_the_settings_file_of_the_user_is_read_if_it_is_there() -> None:
    file = locations.config_file()
    file.parent.mkdir(parents=True)
    file.write_text("limit = 4")
    assert config.load(None, {}).limit == 4


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    assert config.load(write(tmp_path, "limit = 3"), {"ONCALL_LIMIT": "5"}).limit == 5


def test_flags_win_over_the_environment() -> None:
    assert config.load(None, {"ONCALL_LIMIT": "5"}, {"limit": 6}).limit == 6


def test_a_flag_that_was_not_given_says_nothing() -> None:
    assert config.load(None, {"ONCALL_LIMIT": "5"}, {"limit": None}).limit == 5


def test_an_empty_variable_says_nothing() -> None:
    assert config.load(None, {"ONCALL_LIMIT": ""}).limit == Settings().limit


def test_sources_in_the_environment_are_separated_as_paths_are() -> None:
    assert config.load(None, {"ONCALL_SOURCES": "/a::/b"}).sources == ("/a", "/b")


def test_keys_in_the_environment_are_pairs() -> None:
    assert config.load(None, {"ONCALL_KEYS": "search.ask=ctrl+k,help=f1"}).keys == {
        "search.ask": "ctrl+k",
        "help": "f1",
    }


@pytest.mark.parametrize(("raw", "meant"), [("1", True), ("true", True), ("YES", True), ("0", False), ("no", False)])
def test_offline_in_the_environment_is_a_yes_or_no(raw: str, meant: bool) -> None:  # noqa: FBT001
    assert config.load(None, {"ONCALL_OFFLINE": raw}).offline is meant


def test_variables_of_other_programs_are_none_of_ours() -> None:
    assert config.load(None, {"ONCALL_PAGERDUTY_TOKEN": "x", "LIMIT": "3"}) == Settings()


def test_the_data_folder_is_the_platforms_unless_one_is_named(home: Path) -> None:
    assert config.load(None, {}).data_folder.is_relative_to(home)
    assert config.load(None, {"ONCALL_DATA_DIR": "~/state"}).data_folder == home / "state"


def test_the_home_of_an_unknown_user_is_left_as_it_is_written() -> None:
    assert config.load(None, {"ONCALL_DATA_DIR": "~nobody-of-that-name/state"}).data_folder.parts[-1] == "state"


def test_nothing_is_created_by_looking(home: Path) -> None:
    _ = config.load(None, {}).data_folder
    assert not list(home.iterdir())


@pytest.mark.parametrize(
    ("wrong", "right"), [("chunksize", "chunk_size"), ("souces", "sources"), ("ofline", "offline"), ("key", "keys")]
)
def test_a_mistyped_setting_names_the_nearest_one(tmp_path: Path, wrong: str, right: str) -> None:
    error = failure(write(tmp_path, f"{wrong} = 1"))
    assert repr(wrong) in error.message
    assert error.hint == f"Did you mean {right!r}?"


def test_a_setting_that_resembles_none_lists_them_all(tmp_path: Path) -> None:
    assert "chunk_size" in failure(write(tmp_path, "zzzzzz = 1")).hint


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("limit = 0", "limit"),
        ("limit = 101", "limit"),
        ('limit = "many"', "limit"),
        ("chunk_size = 5", "chunk_size"),
        ("chunk_overlap = -1", "chunk_overlap"),
        ("max_file_megabytes = 0", "max_file_megabytes"),
        ('fusion = "best"', "fusion"),
        ('embedder = "gpt"', "embedder"),
        ('sources = "one"', "sources"),
        ("sources = [1]", "sources"),
        ("keys = { ask = 1 }", "keys"),
    ],
)
def test_a_wrong_value_names_its_key_its_place_and_the_default(tmp_path: Path, text: str, key: str) -> None:
    file = write(tmp_path, text)
    error = failure(file)
    assert str(file) in error.message
    assert repr(key) in error.message
    assert "is the default" in error.hint


def test_a_wrong_variable_names_the_environment_as_its_place() -> None:
    assert "the environment" in failure(environment={"ONCALL_LIMIT": "none"}).message


def test_keys_in_the_environment_that_are_no_pairs_are_an_error() -> None:
    assert "'ctrl+k'" in failure(environment={"ONCALL_KEYS": "ctrl+k"}).message


def test_a_wrong_flag_names_the_command_line_as_its_place() -> None:
    assert "the command line" in failure(overrides={"chunk_size": 5}).message


@pytest.mark.parametrize("overlap", [1500, 1501])
def test_an_overlap_as_large_as_a_passage_is_an_error(overlap: int) -> None:
    assert f"chunk_overlap ({overlap}) must be below" in failure(overrides={"chunk_overlap": overlap}).message


def test_an_overlap_just_below_a_passage_is_none() -> None:
    assert config.load(None, {}, {"chunk_overlap": 1499}).chunk_overlap == 1499


def test_a_file_that_was_named_but_is_missing_is_an_error(tmp_path: Path) -> None:
    assert "cannot be read" in failure(tmp_path / "none.toml").message


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    assert "cannot be read" in failure(tmp_path).message


def test_a_file_that_is_no_toml_names_the_line(tmp_path: Path) -> None:
    assert "line 2" in failure(write(tmp_path, "limit = 3\nlimit: 4")).message


def test_a_file_that_is_no_utf_8_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"theme = '\xe9'")
    assert "cannot be read" in failure(tmp_path / "settings.toml").message


# The embedding server


SERVED = {"embedder": "openai", "embedder_url": "https://gateway.example/v1", "embedder_model": "bge-m3"}


def test_a_served_model_is_set_by_its_format_address_and_name() -> None:
    settings = config.load(None, {}, SERVED)
    assert settings.is_served
    assert not Settings().is_served
    assert (settings.embedder_question_prefix, settings.embedder_passage_prefix) == ("", "")


def test_prefixes_keep_the_space_at_their_end() -> None:
    assert config.load(None, {"ONCALL_EMBEDDER_QUESTION_PREFIX": "query: "}).embedder_question_prefix == "query: "


def test_ollama_needs_no_address() -> None:
    assert config.load(None, {}, {"embedder": "ollama", "embedder_model": "bge-m3"}).embedder_url == ""


@pytest.mark.parametrize("embedder", ["openai", "ollama"])
def test_a_served_model_needs_a_name(embedder: str) -> None:
    assert (
        "needs the name of a model" in failure(overrides={**SERVED, "embedder": embedder, "embedder_model": ""}).message
    )


@pytest.mark.parametrize(
    "url", ["", "gateway.example/v1", "ftp://gateway.example", "http://", "http://h:port", "http://[", "http://h/\x1b"]
)
def test_an_address_that_is_none_is_an_error(url: str) -> None:
    assert "embedder_url is not an address" in failure(overrides={**SERVED, "embedder_url": url}).message


@pytest.mark.parametrize(
    "url", ["https://me:hunter2@h/v1", "https://hunter2@h/v1", "https://h/v1?key=hunter2", "https://h/v1#hunter2"]
)
def test_an_address_with_a_secret_in_it_is_an_error_that_does_not_repeat_it(url: str) -> None:
    error = failure(overrides={**SERVED, "embedder_url": url})
    assert "ONCALL_EMBEDDER_KEY" in error.hint
    assert "hunter2" not in error.message + error.hint


def test_a_key_in_the_settings_file_is_an_error_that_does_not_repeat_it(tmp_path: Path) -> None:
    error = failure(write(tmp_path, 'embedder_key = "hunter2"'))
    assert error.hint == "A key stands in the environment only, in ONCALL_EMBEDDER_KEY."
    assert "hunter2" not in error.message


def test_the_key_stands_in_the_environment() -> None:
    assert config.embedder_key({"ONCALL_EMBEDDER_KEY": " sk-1 \n"}) == "sk-1"
    assert config.embedder_key({}) == ""


@pytest.mark.parametrize("key", ["hunter2\nX-Evil: 1", "hunter2\x1b", "hünter2"])
def test_a_key_that_cannot_be_sent_is_an_error_that_does_not_repeat_it(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config.embedder_key({"ONCALL_EMBEDDER_KEY": key})
    assert "nter2" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize("seconds", [0, -1, 601])
def test_a_timeout_that_makes_no_sense_is_an_error(seconds: float) -> None:
    assert "embedder_timeout" in failure(overrides={"embedder_timeout": seconds}).message
