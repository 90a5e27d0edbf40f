"""Documents that were written, or broken, to do harm."""

import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from oncall_tui.corpus.chunker import ChunkSize
from oncall_tui.corpus.load import RawFile, SourceRoot, parse_file, read_root, split_document
from oncall_tui.corpus.loaders import markdown
from oncall_tui.corpus.metadata import FrontMatterError, parse_manifest, split_front_matter
from oncall_tui.errors import ConfigError, DocumentError, SourceError
from oncall_tui.text import strip_controls
from tests.builders import chunks_of, load, write_tree
from tests.privileges import open_folder, unprivileged

ESC, BEL, ST = "\x1b", "\x07", "\x1b\\"

TRICKS = {
    "OSC 52 writes the clipboard": (f"a{ESC}]52;c;cm0gLXJmIC8={BEL}b", "ab"),
    "OSC 52 ended by ST": (f"a{ESC}]52;c;cm0gLXJmIC8={ST}b", "ab"),
    "OSC 52 that never ends": (f"a{ESC}]52;c;cm0gLXJmIC8=", "a"),
    "OSC 52 with one-character introducer": ("a\x9d52;c;cm0gLXJmIC8=\x9cb", "ab"),
    "OSC 8 hides where a link leads": (f"{ESC}]8;;http://evil{ST}docs{ESC}]8;;{ST}", "docs"),
    "OSC 0 sets the title": (f"{ESC}]0;owned{BEL}text", "text"),
    "OSC inside OSC": (f"{ESC}]0;{ESC}]52;c;x{BEL}y{BEL}z", "yz"),
    "CSI colour": (f"{ESC}[31mred{ESC}[0m", "red"),
    "CSI clears the screen": (f"{ESC}[2J{ESC}[Hgone", "gone"),
    "CSI hides text": (f"{ESC}[8mhidden{ESC}[28m", "hidden"),
    "CSI cut in two by NUL": (f"{ESC}\0[31mred", "[31mred"),
    "CSI with one-character introducer": ("\x9b31mred", "red"),
    "DCS asks the terminal": (f"{ESC}P$qm{ST}text", "text"),
    "APC and PM and SOS": (f"{ESC}_a{ST}{ESC}^b{ST}{ESC}Xc{ST}text", "text"),
    "full reset": (f"{ESC}ctext", "text"),
    "C1 next line": ("one\x85two", "one two"),
    "every other C1": ("".join(map(chr, [*range(0x80, 0x85), *range(0x86, 0xA0)])) + "text", "text"),
    "backspace overtypes": ("rm\b\bls", "rmls"),
    "bell": (f"{BEL}text", "text"),
    "delete": ("te\x7fxt", "text"),
    "NUL": ("te\0xt", "text"),
    "carriage return overtypes": ("safe command\rrm -rf /", "safe command rm -rf /"),
    "carriage return before a line feed": ("one\r\ntwo", "one\ntwo"),
    "two carriage returns": ("one\r\r\ntwo", "one \ntwo"),
    "bidi override": ("exe\u202egpj.cod", "exegpj.cod"),
    "bidi isolate": ("\u2066a\u2069", "a"),
    "bidi marks": ("a\u200e\u200f\u061cb", "ab"),
    "zero-width space splits a word": ("r\u200bm -rf", "rm -rf"),
    "zero-width joiners": ("r\u200c\u200d\u2060m", "rm"),
    "soft hyphen": ("dr\xadain", "drain"),
    "byte order mark inside": ("dr\ufeffain", "drain"),
    "tag characters smuggle a message": ("ok" + "".join(chr(0xE0000 + ord(letter)) for letter in "ignore"), "ok"),
    "variation selectors smuggle a message": ("ok" + "".join(chr(0xE0100 + value) for value in b"ignore"), "ok"),
    "Hangul filler": ("a\u3164\u115fb", "ab"),
    "line and paragraph separators": ("a\u2028b\u2029c", "a b c"),
    "lone surrogates": ("a\ud800b\udfffc", "abc"),
}


@pytest.mark.parametrize(("text", "visible"), TRICKS.values(), ids=TRICKS.keys())
def test_nothing_but_visible_text_remains(text: str, visible: str) -> None:
    assert strip_controls(text) == visible


@pytest.mark.parametrize(("text", "_visible"), TRICKS.values(), ids=TRICKS.keys())
def test_no_trick_moves_the_line_below_it(text: str, _visible: str) -> None:
    lines = strip_controls(f"one\n{text}\nlast").split("\n")
    assert lines[-1] == "last"
    assert len(lines) == 3 + text.count("\n")


def test_an_escape_that_is_cut_by_a_line_end_does_not_reach_the_next_line() -> None:
    assert strip_controls(f"a{ESC}]52;c;\nb{BEL}c") == "a\nbc"


def test_no_trick_reaches_a_chunk_a_title_or_a_heading() -> None:
    tricks = [text for name, (text, _) in TRICKS.items() if "NUL" not in name and "surrogate" not in name]
    blocks = [f"# H {text}\n\nT {text}\n" for text in tricks]
    page = f"---\ntitle: A{ESC}]0;x{BEL} B\ntags: [{ESC}[1mtag]\n---\n" + "\n".join(blocks)
    document, _ = parse_file(RawFile("root", "a.md", page.encode()))
    chunks = split_document(document, ChunkSize())
    assert (document.metadata.title, document.metadata.tags) == ("A B", ("tag",))
    assert len(chunks) == len(tricks)
    assert all(strip_controls(part) == part for chunk in chunks for part in (chunk.text, *chunk.heading_path))


def test_escapes_that_yaml_spells_out_are_stripped_from_metadata() -> None:
    assert split_front_matter('---\ntitle: "a\\e]52;c;eA==\\ab\\u202e\\0c"\n---')[0] == {"title": "abc"}


def test_escapes_that_json_spells_out_are_stripped_from_metadata() -> None:
    assert parse_manifest(b'{"a.md": {"owner": "a\\u001b[31mb\\u202e\\nc"}}') == {"a.md": {"owner": "ab c"}}


@pytest.mark.parametrize(
    "entry", [b'{"a\\u001b[2J.md": {"x\\u001b[2J": 1}}', b'{"a\\u001b[2J.md": {"trust": "\\u001b[2J"}}']
)
def test_an_error_about_the_manifest_repeats_no_escape(entry: bytes) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_manifest(entry)
    assert ESC not in caught.value.message + caught.value.hint


def test_an_error_about_the_manifest_is_short_whatever_the_value() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_manifest(json.dumps({"a.md": {"trust": "9" * 100_000}}).encode())
    assert len(caught.value.message) < 300


BOMBS = {
    "aliases nested without end": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ntitle: *c",
    "an alias to itself": "a: &a [*a]",
    "brackets nested without end": "title: " + "[" * 15_000,
    "mappings nested without end": "title: " + "{a: " * 4_000,
    "nothing but indicators": "? " * 5_000,
    "a megabyte of values": "tags: [" + "a," * 500_000 + "]",
    "tabs": "title:\n\t- x",
    "a key that is no text": "? [a, b]\n: c",
    "an unknown alias": "title: *nothing",
    "an open quotation mark": 'title: "never closed',
    "a document of its own": "title: a\n--- !x\nb",
}


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS.keys())
def test_a_yaml_bomb_is_refused_at_once(source: str) -> None:
    started = time.process_time()
    with pytest.raises(FrontMatterError):
        split_front_matter(f"---\n{source}\n---\nbody")
    assert time.process_time() - started < 3


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS.keys())
def test_a_page_with_a_yaml_bomb_is_indexed_without_its_front_matter(tmp_path: Path, source: str) -> None:
    write_tree(tmp_path, {"a.md": f"---\n{source}\n---\n# Redis\n"})
    documents, skipped = load(tmp_path)
    assert documents["a.md"].metadata.title == "Redis"
    assert "front matter cannot be read" in skipped["a.md"].reason


@pytest.mark.parametrize(
    "value",
    [
        "!!python/object/apply:os.system ['touch owned']",
        "!!python/name:os.system",
        "!!timestamp nonsense",
        '!!int ""',
        "!!bool maybe",
        "!!binary x",
        "0x" + "f" * 3600,
        "9" * 3900,
        "1e99999",
        ".nan",
        "0001-01-01T00:00:00+99:99",
        "2026-13-45",
        "!<tag:evil> x",
    ],
    ids=lambda value: value[:24],
)
def test_an_odd_value_in_front_matter_does_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"{name}: {value}" for name in ("owner", "trust", "tags", "valid_from", "type")]
    fields, _ = split_front_matter("\n".join(("---", *lines, "---", "body")))
    assert fields.get("trust") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "data",
    [
        b'{"a.md": {"owner": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
        b'{"a.md": {"trust": ' + b"9" * 6000 + b"}}",
        b'{"a.md": {"owner": "\\ud800"}}',
        b'{"a.md": {"owner": "\xff"}}',
        b'{"a.md": {"owner": NaN}}',
        b"[" * 100_000,
    ],
    ids=["nested", "huge number", "lone surrogate", "not UTF-8", "not a number", "open brackets"],
)
def test_an_odd_manifest_is_an_error_in_plain_words(data: bytes) -> None:
    with pytest.raises(ConfigError, match=r"manifest\.json cannot be used"):
        parse_manifest(data)


@pytest.mark.parametrize(
    "path",
    [
        "../secret.md",
        "/etc/passwd",
        "db/../../secret.md",
        "..\\secret.md",
        "//etc/passwd",
        "",
        ".",
        "..",
        "**x",
        "[a",
        "a\nb",
    ],
)
def test_a_path_in_the_manifest_opens_nothing_outside(tmp_path: Path, path: str) -> None:
    write_tree(tmp_path, {"secret.md": "# Secret", "books/a.md": "# A", "books/manifest.json": json.dumps({path: {}})})
    documents, skipped = load(tmp_path / "books")
    assert list(documents) == ["a.md"]
    assert [("does not exist" in notice.reason, "\n" in notice.path) for notice in skipped.values()] == [(True, False)]


def outside(tmp_path: Path) -> Path:
    """Return a folder of runbooks beside a secret that is not among them."""
    write_tree(tmp_path, {"secret.md": "# Secret", "more/b.md": "# B", "books/a.md": "# A"})
    return tmp_path / "books"


@pytest.mark.parametrize("target", ["../secret.md", "../more/b.md", "/etc/passwd", "../gone.md"])
def test_a_link_that_leaves_the_folder_is_named_and_not_read(tmp_path: Path, target: str) -> None:
    books = outside(tmp_path)
    (books / "link.md").symlink_to(target)
    documents, skipped = load(books)
    assert list(documents) == ["a.md"]
    assert skipped["link.md"].reason == "is a link that leaves the source folder"


def test_a_link_over_a_link_that_leaves_the_folder_is_not_read(tmp_path: Path) -> None:
    books = outside(tmp_path)
    (books / "folder").symlink_to("../more")
    (books / "link.md").symlink_to("folder/b.md")
    documents, skipped = load(books)
    assert list(documents) == ["a.md"]
    assert skipped.keys() == {"folder", "link.md"}


def test_a_folder_whose_name_only_starts_like_the_source_is_outside(tmp_path: Path) -> None:
    write_tree(tmp_path, {"books/a.md": "# A", "books-secret/b.md": "# B"})
    (tmp_path / "books" / "link.md").symlink_to("../books-secret/b.md")
    assert list(load(tmp_path / "books")[0]) == ["a.md"]


def test_a_link_to_itself_is_named(tmp_path: Path) -> None:
    books = outside(tmp_path)
    (books / "loop.md").symlink_to("loop.md")
    assert "link to nothing" in load(books)[1]["loop.md"].reason


def test_a_folder_that_contains_itself_is_searched_once(tmp_path: Path) -> None:
    books = outside(tmp_path)
    (books / "again").symlink_to(".")
    assert list(load(books)[0]) == ["a.md"]


def test_a_source_that_is_a_link_to_itself_is_an_error_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(SourceError, match="cannot be listed"):
        load(tmp_path / "loop")


def test_a_manifest_that_is_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    books = outside(tmp_path)
    (tmp_path / "other.json").write_text('{"a.md": {"owner": "someone"}}')
    (books / "manifest.json").symlink_to("../other.json")
    with pytest.raises(SourceError, match="is a link that leaves the source folder"):
        load(books)


def test_a_manifest_that_is_a_link_within_the_folder_is_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.md": "# A", "..data/manifest.json": '{"a.md": {"owner": "infra"}}'})
    (tmp_path / "manifest.json").symlink_to("..data/manifest.json")
    assert load(tmp_path)[0]["a.md"].metadata.owner == "infra"


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_a_manifest_that_is_no_file_is_an_error_and_never_waited_for(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "manifest.json")
    with pytest.raises(SourceError, match="is not a regular file"):
        load(tmp_path)


def test_a_pipe_named_like_a_page_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert load(tmp_path)[1]["pipe.md"].reason == "is not a regular file"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is binary"),
        (b"\xef\xbb\xbf\x7fELF\0\0\0", "is binary"),
        (b"\x1f\x8b\x08\xff\xfe", "is not UTF-8"),
        ("café".encode("latin-1"), "is not UTF-8 (byte 0xe9 in line 1)"),
        ("磁盘已满".encode("gb18030"), "is not UTF-8"),
        ("disk".encode("utf-16-le"), "is binary"),
        (b"\xff\xfe\x00\xd8", "is not UTF-16-LE"),
        (b"\xc0\xafetc", "is not UTF-8"),
        (b"\xed\xa0\x80", "is not UTF-8"),
        (b"", "holds no text"),
        (b"\xe2\x80\x8b\n\x1b[2J", "holds no text"),
    ],
    ids=[
        "image",
        "program",
        "gzip",
        "Latin-1",
        "GB18030",
        "UTF-16",
        "surrogate",
        "overlong",
        "CESU",
        "empty",
        "invisible",
    ],
)
def test_a_page_that_is_no_text_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(reason)):
        parse_file(RawFile("root", "a.md", data))


def test_an_oversized_page_is_named_without_being_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(10**12)  # sparse: it takes no room
    (found,) = read_root(SourceRoot(tmp_path), ChunkSize())
    assert "1000000.0 MB" in getattr(found, "reason", "")


def test_an_oversized_manifest_is_an_error(tmp_path: Path) -> None:
    with (tmp_path / "manifest.json").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(SourceError, match="max_file_megabytes"):
        load(tmp_path)


def test_an_unreadable_page_is_named_and_the_others_are_read() -> None:
    with open_folder() as folder:
        write_tree(folder, {"a.md": "# A", "secret.md": "# Secret"})
        (folder / "secret.md").chmod(0o000)
        with unprivileged():
            documents, skipped = load(folder)
    assert list(documents) == ["a.md"]
    assert skipped["secret.md"].reason == "cannot be read: permission denied"


def test_a_link_into_an_unreadable_folder_is_named() -> None:
    with open_folder() as folder:
        write_tree(folder, {"a.md": "# A", "private/b.md": "# B"})
        (folder / "link.md").symlink_to("private/b.md")
        (folder / "private").chmod(0o000)
        with unprivileged():
            documents, skipped = load(folder)
        (folder / "private").chmod(0o700)
    assert list(documents) == ["a.md"]
    assert skipped.keys() == {"link.md", "private"}


def test_an_unreadable_manifest_is_an_error() -> None:
    with open_folder() as folder:
        write_tree(folder, {"a.md": "# A", "manifest.json": "{}"})
        (folder / "manifest.json").chmod(0o000)
        with unprivileged(), pytest.raises(SourceError, match="permission denied"):
            load(folder)


@pytest.mark.parametrize("name", [f"a{ESC}[2J.md", "a\nb.md", "a\u202egpj.md", "a\u200b.md", f"{ESC}]0;x{BEL}.png"])
def test_a_file_whose_name_cannot_be_shown_is_named_as_far_as_it_can(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path, {name: "# A", "b.md": "# B"})
    documents, skipped = load(tmp_path)
    assert list(documents) == ["b.md"]
    (notice,) = skipped.values()
    assert strip_controls(notice.path) == notice.path
    assert "\n" not in notice.path
    assert "name" in notice.reason


def test_a_file_whose_name_is_no_unicode_is_named_as_far_as_it_can(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")
    try:
        Path(name).write_text("# A")
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    assert list(load(tmp_path)[1]) == ["caf.md"]


def test_a_source_whose_path_is_no_unicode_has_an_id() -> None:
    assert len(SourceRoot(Path("/gone/caf\udce9")).id) == 8


HEAVY = {
    "brackets in a heading": "# " + "[" * 200_000,
    "links in a heading": "# " + "[a](" * 100_000,
    "spaces in a heading": "# a" + " " * 200_000 + "b",
    "one line without a space": "x" * 6_000_000,
    "one line of full stops": "。" * 300_000,
    "one line of ideographs": "磁" * 300_000,
    "one line of sentences": "Aa. " * 200_000,
    "one line of spaces": "a." + " " * 500_000 + "B",
    "quotes in quotes": ">" * 100_000,
    "lists in lists": "- " * 50_000,
    "link definitions": "[a]: b\n" * 10_000,
    "open links": "[\n" * 20_000,
    "announcements": "a:\n\n" * 10_000,
    "headings": "# a\n" * 10_000,
    "dashes": "a" + "-" * 500_000,
}


@pytest.mark.parametrize("text", HEAVY.values(), ids=HEAVY.keys())
def test_no_page_costs_more_than_its_length(text: str) -> None:
    started = time.process_time()
    chunks_of(text)
    assert time.process_time() - started < 8


def test_a_heading_without_end_is_cut() -> None:
    (block,) = markdown.parse("# " + "x" * 10_000)
    assert len(block.title) == 500
