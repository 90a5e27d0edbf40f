"""``oncall doctor``."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from oncall_tui.errors import EmbeddingError
from oncall_tui.index import sealed
from tests.builders import FakeEmbedder, write_tree
from tests.cli.conftest import Result, Run


def checks(result: Result) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in result.json["checks"]}


def current_snapshot(data: Path) -> Path:
    (folder,) = (data / "index" / "generations").iterdir()
    return folder


def test_the_json_has_the_documented_keys(over_pages: Run) -> None:
    result = over_pages("doctor", "--json")
    assert list(result.json) == ["checks"]
    assert {tuple(check) for check in result.json["checks"]} == {("name", "status", "detail", "fix")}


def test_a_sound_installation_passes_every_check(over_pages: Run, pages_folder: Path) -> None:
    result = over_pages("doctor", "--json")
    assert result.status == 0
    found = checks(result)
    names = ("program", "settings", "data folder", f"source {pages_folder}", "index", "tables", "vectors")
    for name in (*names, "keyword scores", "model", "glossary", "screen", "network"):
        assert found[name]["status"] == "ok", found[name]


def test_on_a_terminal_each_check_is_a_line(over_pages: Run) -> None:
    result = over_pages("doctor")
    assert result.status == 0
    assert "ok        tables: agree with the index" in result.out


def test_without_an_index_the_mend_is_named(run: Run, tmp_path: Path) -> None:
    result = run("--data-dir", tmp_path / "none", "doctor", "--json")
    assert result.status == 1
    assert (checks(result)["index"]["status"], checks(result)["index"]["fix"]) == ("failed", "oncall index")


def test_wrong_settings_are_a_failed_check_and_no_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCALL_LIMIT", "none")
    result = run("doctor", "--json")
    assert result.status == 1
    assert checks(result)["settings"]["status"] == "failed"


def test_a_damaged_manifest_is_a_failed_check_and_no_error(run: Run, own_data: Path) -> None:
    (own_data / "index" / "current.json").write_text("{")
    result = run("--data-dir", own_data, "doctor", "--json")
    assert result.status == 1
    assert "damaged" in checks(result)["index"]["detail"]


@pytest.mark.parametrize("lost", ["lance", "lance/chunks.lance/_versions", "lance/chunks.lance/data"])
def test_lost_tables_are_a_failed_check_whose_mend_mends_them(run: Run, own_data: Path, lost: str) -> None:
    shutil.rmtree(own_data / "index" / lost)
    tables = checks(run("--data-dir", own_data, "doctor", "--json"))["tables"]
    assert tables["status"] == "failed"
    assert run("--data-dir", own_data, *tables["fix"].removeprefix("oncall ").split()).status == 0
    assert checks(run("--data-dir", own_data, "doctor", "--json"))["tables"]["status"] == "ok"


def test_token_counts_that_do_not_fit_the_scores_are_a_failed_check(run: Run, own_data: Path) -> None:
    file = current_snapshot(own_data) / "saturations.npy"
    sealed.write_array(file, np.full_like(np.load(file), 0.5))
    scores = checks(run("--data-dir", own_data, "doctor", "--json"))["keyword scores"]
    assert (scores["status"], scores["fix"]) == ("failed", "oncall index --rebuild")


def test_a_damaged_snapshot_is_a_failed_check_and_no_error(run: Run, own_data: Path) -> None:
    (current_snapshot(own_data) / "bag_terms.npy").write_bytes(b"damage")
    result = run("--data-dir", own_data, "doctor", "--json")
    assert result.status == 1


@pytest.mark.parametrize("name", ["passages.bin", "saturations.npy", "vectors.npy"])
def test_a_byte_that_changed_in_the_snapshot_is_a_failed_check_whose_mend_mends_it(
    run: Run, own_data: Path, name: str
) -> None:
    file = current_snapshot(own_data) / name
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    index = checks(run("--data-dir", own_data, "doctor", "--json"))["index"]
    assert (index["status"], index["fix"]) == ("failed", "oncall index")
    assert f"{name} is not as it was written" in index["detail"]
    assert run("--data-dir", own_data, "index").status == 0
    assert checks(run("--data-dir", own_data, "doctor", "--json"))["index"]["status"] == "ok"


def test_other_folders_than_the_index_was_made_from_are_a_failed_check(
    run: Run, small_data: Path, tmp_path: Path
) -> None:
    result = run("--data-dir", small_data, "--source", tmp_path, "doctor", "--json")
    assert result.status == 1
    assert "other folders" in checks(result)["index"]["detail"]
    assert "vectors" not in checks(result)


def test_a_source_that_is_away_is_a_degraded_check(run: Run, small_data: Path, tmp_path: Path) -> None:
    result = run("--data-dir", small_data, "--source", tmp_path / "unmounted", "doctor", "--json")
    assert checks(result)[f"source {tmp_path / 'unmounted'}"]["status"] == "degraded"


def test_a_model_that_cannot_be_loaded_is_a_degraded_check(over_pages: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: FakeEmbedder) -> None:
        raise EmbeddingError("The model cannot be loaded.", hint="Reinstall it.")

    monkeypatch.setattr(FakeEmbedder, "warm_up", fail)
    result = over_pages("doctor", "--json")
    assert result.status == 0
    assert (checks(result)["model"]["status"], checks(result)["model"]["fix"]) == ("degraded", "Reinstall it.")


def test_a_model_that_is_switched_off_is_a_degraded_check_that_says_how_to_switch_it_on(
    over_pages: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONCALL_EMBEDDER", "none")
    found = checks(over_pages("doctor", "--json"))
    assert found["model"]["status"] == "degraded"
    assert "unset ONCALL_EMBEDDER" in found["model"]["fix"]
    assert "oncall index" in found["model"]["fix"]
    assert "vectors" not in found


@pytest.mark.parametrize(
    ("settings", "detail", "fix"),
    [
        ('theme = "oncall-drak"', "There is no theme 'oncall-drak'", "Did you mean 'oncall-dark'?"),
        ('keys = {"app.hlep" = "f2"}', "There is no binding 'app.hlep'", "Did you mean 'app.help'?"),
    ],
)
def test_settings_that_keep_the_screen_from_opening_are_a_failed_check(
    run: Run, small_data: Path, tmp_path: Path, settings: str, detail: str, fix: str
) -> None:
    write_tree(tmp_path, {"settings.toml": settings})
    result = run("--config", tmp_path / "settings.toml", "--data-dir", small_data, "doctor", "--json")
    assert result.status == 1
    screen = checks(result)["screen"]
    assert (screen["status"], screen["fix"]) == ("failed", fix)
    assert detail in screen["detail"]


@pytest.mark.parametrize("content", [None, b"one term only\n", b"\xff\xfe"], ids=["missing", "wrong", "binary"])
def test_a_glossary_that_cannot_be_read_is_a_failed_check(
    run: Run, small_data: Path, tmp_path: Path, content: bytes | None
) -> None:
    write_tree(
        tmp_path, {"settings.toml": f'glossary = "{tmp_path / "own.txt"}"', **({"own.txt": content} if content else {})}
    )
    result = run("--config", tmp_path / "settings.toml", "--data-dir", small_data, "doctor", "--json")
    assert result.status == 1
    glossary = checks(result)["glossary"]
    assert glossary["status"] == "failed"
    assert "own.txt" in glossary["detail"]
    assert "take glossary out of the settings" in glossary["fix"]


def test_a_mistyped_variable_is_a_degraded_check(over_pages: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCALL_LIMT", "3")
    environment = checks(over_pages("doctor", "--json"))["environment"]
    assert (environment["status"], environment["fix"]) == ("degraded", "Did you mean ONCALL_LIMIT?")


def test_a_terminal_that_is_too_small_is_a_degraded_check(over_pages: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "10")
    terminal = checks(over_pages("doctor", "--json"))["terminal"]
    assert terminal["status"] == "degraded"
    assert terminal["detail"].startswith("40×10")
