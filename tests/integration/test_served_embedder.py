"""A server's model in place of the bundled one, from the settings to the ranked passages."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from oncall_tui.cli.main import main
from oncall_tui.config import Settings
from oncall_tui.engine import Engine
from oncall_tui.errors import EmbeddingError, IndexMissingError
from oncall_tui.models import CheckStatus, Mode, Rung
from oncall_tui.wiring import build_engine
from tests.builders import FakeEmbedder
from tests.cli.conftest import Result
from tests.servers import MODEL, EmbeddingServer, Reply

KEY: Final = "sk-very-secret-0123456789"
QUESTION: Final = "redis clients wait for a connection"

Make = Callable[..., Engine]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONCALL_EMBEDDER_KEY", KEY)


@pytest.fixture
def make(server: EmbeddingServer, pages_folder: Path, tmp_path: Path) -> Make:
    """Return what makes engines over the small runbooks with the server's model."""

    def make_one(**values: Any) -> Engine:
        defaults = {
            "embedder": "openai",
            "embedder_url": server.url,
            "embedder_model": MODEL,
            "embedder_timeout": 5.0,
            "data_dir": str(tmp_path / "data"),
            "sources": (str(pages_folder),),
        }
        return build_engine(Settings(**{**defaults, **values}))

    return make_one


def down(server: EmbeddingServer) -> None:
    """Make the server refuse in a way that is not worth another try."""
    server.always = Reply(400, b"no such model")


@pytest.mark.parametrize("embedder", ["openai", "ollama"])
def test_pages_are_indexed_and_found_by_the_servers_vectors(make: Make, server: EmbeddingServer, embedder: str) -> None:
    engine = make(embedder=embedder)
    report = engine.refresh()
    assert report.embedded == report.chunks == engine.status().vectors
    assert engine.status().model == f"{embedder}/{MODEL}"
    evidence = engine.search(QUESTION)
    assert (evidence.rung, evidence.degraded) == (Rung.HYBRID, ())
    assert evidence.passages[0].chunk.document_id == "redis"
    assert evidence.passages[0].ranks["vector"]
    assert engine.search(QUESTION, mode=Mode.VECTOR).passages


def test_prefixes_go_to_the_server_and_into_the_name_of_the_model(make: Make, server: EmbeddingServer) -> None:
    engine = make(embedder_question_prefix="query: ", embedder_passage_prefix="passage: ")
    engine.refresh()
    assert all(text.startswith(("query: ", "passage: ")) for text in server.inputs)
    assert engine.status().model == f"openai/{MODEL} (question 'query: ', passage 'passage: ')"


def test_a_second_run_asks_the_server_nothing(make: Make, server: EmbeddingServer) -> None:
    make().refresh()
    server.requests.clear()
    assert make().refresh(rebuild=True).embedded == 0
    assert not make().needs_refresh()
    assert not server.requests


def test_vectors_are_the_same_when_the_server_moves(make: Make, server: EmbeddingServer) -> None:
    make().refresh()
    server.requests.clear()
    engine = make(embedder_url=f"{server.url}/v1")
    assert engine.search(QUESTION).degraded == ()
    assert [request.body["input"] for request in server.requests] == [[QUESTION]]


@pytest.mark.parametrize(
    "other", [{"embedder_model": "other"}, {"embedder": "ollama"}, {"embedder_question_prefix": "query: "}]
)
def test_another_model_makes_the_index_anew_and_says_so_until_then(
    make: Make, server: EmbeddingServer, other: dict[str, str]
) -> None:
    make().refresh()
    engine = make(**other)
    evidence = engine.search(QUESTION)
    assert evidence.rung is Rung.KEYWORD_ONLY
    assert evidence.passages
    assert f"the index has those of openai/{MODEL}, this program has" in evidence.degraded[0]
    assert "oncall index" in evidence.degraded[0]
    with pytest.raises(EmbeddingError) as caught:
        engine.search(QUESTION, mode=Mode.VECTOR)
    assert "oncall index" in caught.value.hint
    server.requests.clear()
    assert engine.refresh().embedded == engine.status().chunks
    assert engine.search(QUESTION).degraded == ()


def test_the_bundled_model_cannot_search_what_a_server_made(make: Make, fake_model: type[FakeEmbedder]) -> None:
    make().refresh()
    assert "the index has those of openai" in make(embedder="bundled").search(QUESTION).degraded[0]


def test_a_server_that_is_down_leaves_keyword_search_and_a_note(make: Make, server: EmbeddingServer) -> None:
    make().refresh()
    down(server)
    evidence = make().search(QUESTION)
    assert evidence.rung is Rung.KEYWORD_ONLY
    assert evidence.passages[0].chunk.document_id == "redis"
    assert "answered 400: no such model" in evidence.degraded[0]
    with pytest.raises(EmbeddingError):
        make().search(QUESTION, mode=Mode.VECTOR)


def test_a_server_that_was_never_reached_leaves_an_index_of_words(make: Make, server: EmbeddingServer) -> None:
    down(server)
    with pytest.raises(EmbeddingError, match="no such model"):
        make().refresh()
    assert make().search(QUESTION).passages[0].chunk.document_id == "redis"
    assert not make().needs_refresh()
    server.always = None
    assert make().needs_refresh()
    assert make().refresh().embedded == make().status().chunks


def test_a_server_that_fails_half_way_keeps_what_it_did(make: Make, server: EmbeddingServer) -> None:
    make().refresh()
    page = Path(make().sources()[0]).parent / "own" / "page.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text("# Postgres vacuum\n\nRun VACUUM by hand.\n")
    down(server)
    engine = make(sources=(str(page.parent),))
    with pytest.raises(EmbeddingError, match="no such model"):
        engine.refresh()
    assert engine.search("postgres vacuum by hand").passages[0].chunk.document_id == "page"
    server.always = None
    assert engine.refresh().embedded == 1


def test_vectors_of_an_index_are_not_given_up_for_a_server_that_is_away(
    make: Make, server: EmbeddingServer, tmp_path: Path
) -> None:
    made = make()
    made.refresh()
    for file in (tmp_path / "data" / "cache").iterdir():
        file.unlink()
    down(server)
    with pytest.raises(EmbeddingError):
        make().refresh()
    assert make().status().vectors == made.status().chunks
    assert not make().needs_refresh()


def test_offline_the_server_is_not_asked_and_the_note_says_why(make: Make, server: EmbeddingServer) -> None:
    make().refresh()
    server.requests.clear()
    engine = make(offline=True)
    evidence = engine.search(QUESTION)
    assert evidence.passages[0].chunk.document_id == "redis"
    assert "offline is set" in evidence.degraded[0]
    assert engine.refresh().unchanged
    assert engine.status().offline
    assert not make().status().offline
    assert not server.requests


def test_offline_a_first_index_is_one_of_words(make: Make, server: EmbeddingServer) -> None:
    with pytest.raises(EmbeddingError, match="offline is set"):
        make(offline=True).refresh()
    assert make(offline=True).search(QUESTION).passages
    assert not server.requests


def test_without_an_index_there_is_nothing_to_search(make: Make) -> None:
    with pytest.raises(IndexMissingError):
        make().search(QUESTION)


def test_a_server_with_another_dimension_than_the_index_is_a_note(
    make: Make, server: EmbeddingServer, tmp_path: Path
) -> None:
    make().refresh()
    for file in (tmp_path / "data" / "cache").iterdir():
        file.unlink()
    server.width = 32
    evidence = make().search(QUESTION)
    assert evidence.passages
    assert "has 32 numbers, those of the index 64" in evidence.degraded[0]


@pytest.fixture
def run(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Result]]:
    """Return what runs a command with the server's model, set by the environment."""
    monkeypatch.setenv("ONCALL_EMBEDDER", "openai")
    monkeypatch.setenv("ONCALL_EMBEDDER_URL", server.url)
    monkeypatch.setenv("ONCALL_EMBEDDER_MODEL", MODEL)

    def run_here(*arguments: str) -> Result:
        capsys.readouterr()
        status = main(["--data-dir", str(tmp_path / "data"), *arguments])
        printed = capsys.readouterr()
        assert KEY not in printed.out + printed.err
        return Result(status, printed.out, printed.err)

    yield run_here
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]


def checks(result: Result) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in result.json["checks"]}


def test_the_command_line_indexes_and_searches_by_the_environment(
    run: Callable[..., Result], pages_folder: Path, server: EmbeddingServer
) -> None:
    assert run("index", str(pages_folder)).status == 0
    found = run("search", QUESTION, "--json").json
    assert found["degraded"] == []
    assert found["evidence"][0]["ranks"]["vector"]
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


def test_doctor_names_the_server_that_is_reached(run: Callable[..., Result], pages_folder: Path) -> None:
    run("index", str(pages_folder))
    found = checks(run("doctor", "--json"))
    assert found["model"]["status"] == CheckStatus.OK
    assert found["model"]["detail"].startswith(f"openai/{MODEL} loads and embeds, on http://127.0.0.1:")
    assert found["network"]["detail"].startswith("used for vectors only, by http://127.0.0.1:")


@pytest.mark.parametrize("status", [400, 401])
def test_doctor_names_the_server_that_is_not_reached_and_no_key(
    run: Callable[..., Result], pages_folder: Path, server: EmbeddingServer, status: int
) -> None:
    run("index", str(pages_folder))
    server.always = Reply(status, f"wrong key {KEY}".encode())
    result = run("doctor", "--json")
    found = checks(result)
    assert result.status == 0
    assert found["model"]["status"] == CheckStatus.DEGRADED
    assert f"{server.url}/v1/embeddings answered {status}" in found["model"]["detail"]
    assert found["model"]["fix"]


def test_doctor_says_that_offline_forbids_the_server(run: Callable[..., Result], pages_folder: Path) -> None:
    run("index", str(pages_folder))
    found = checks(run("--offline", "doctor", "--json"))
    assert found["network"]["detail"] == "never used"
    assert (found["model"]["status"], "offline is set" in found["model"]["detail"]) == (CheckStatus.DEGRADED, True)
