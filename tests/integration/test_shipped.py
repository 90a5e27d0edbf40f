"""The runbooks and the data that travel with the program."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
import yaml

from oncall_tui import locations
from oncall_tui.corpus.metadata import FIELDS, derive, parse_manifest, split_front_matter
from oncall_tui.engine import Engine
from oncall_tui.evaluation.runner import LabelledQuestion, read_questions
from oncall_tui.models import CheckStatus, Document, DocumentType
from oncall_tui.retrieval.expand import Glossary
from oncall_tui.retrieval.trust import standing
from oncall_tui.text import IDEOGRAPHIC, language_of, strip_controls
from tests.builders import load

FOLDER: Final = locations.shipped("runbooks")
DATA: Final = locations.shipped("data")
TODAY: Final = date(2026, 12, 1)
FILES: Final = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md"))

_FENCE: Final = re.compile(r"^( *)(```|~~~).*?^\1\2\s*$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"`[^`\n]+`")
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_HEADING: Final = re.compile(r"^(#{1,6}) +(.+)$", re.MULTILINE)
_FILLER: Final = re.compile(r"\b(?:lorem ipsum|TODO|TBD|FIXME|XXX+)\b")


@dataclass(frozen=True)
class Page:
    """A runbook as it stands on disk."""

    path: str
    text: str

    @property
    def prose(self) -> str:
        """The text without front matter and code."""
        _, start = split_front_matter(self.text)
        body = "\n".join(self.text.split("\n")[start:])
        return _CODE.sub("", _FENCE.sub("", body))

    @property
    def headings(self) -> list[str]:
        """The headings, code marks and all."""
        return [match[2] for match in _HEADING.finditer(_FENCE.sub("", self.text))]

    @property
    def anchors(self) -> set[str]:
        """The fragments that its headings have, as GitHub and GitLab make them."""
        kept = rf"[^\w\- {IDEOGRAPHIC}]"
        return {re.sub(kept, "", title.lower().strip()).replace(" ", "-") for title in self.headings}


def read(path: str) -> Page:
    return Page(path, (FOLDER / path).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    found, _ = load(FOLDER)
    return found


def test_there_are_enough_pages_in_both_languages() -> None:
    languages = [language_of(read(path).prose) for path in FILES]
    assert len(FILES) >= 48
    assert languages.count("en") >= 32
    assert languages.count("zh") >= 16


def test_every_page_is_indexed_and_nothing_is_left_out() -> None:
    found, skipped = load(FOLDER)
    assert sorted(found) == FILES
    assert skipped == {}


def test_every_page_has_an_id_of_its_own(documents: dict[str, Document]) -> None:
    assert len({document.id for document in documents.values()}) == len(documents)


@pytest.mark.parametrize("path", FILES)
def test_a_page_is_as_long_as_people_read_at_night(path: str) -> None:
    assert 60 <= len((FOLDER / path).read_text(encoding="utf-8").splitlines()) <= 200


@pytest.mark.parametrize("path", FILES)
def test_a_page_has_one_title_and_no_heading_is_skipped(path: str) -> None:
    levels = [len(match[1]) for match in _HEADING.finditer(read(path).prose)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(level <= before + 1 for before, level in pairwise(levels))


@pytest.mark.parametrize("path", FILES)
def test_what_front_matter_says_is_understood(path: str) -> None:
    text = read(path).text
    fields, start = split_front_matter(text)
    said = yaml.safe_load("\n".join(text.split("\n")[1 : start - 1])) if start else {}
    assert set(said) <= set(FIELDS)
    assert set(said) == set(fields)
    assert derive(path, "Title", fields)[1].title


@pytest.mark.parametrize("path", FILES)
def test_every_relative_link_leads_to_a_page_and_its_heading(path: str) -> None:
    page = read(path)
    for target in _LINK.findall(page.prose):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        linked = (FOLDER / path).parent / name if name else FOLDER / path
        assert linked.is_file(), target
        if anchor:
            assert anchor in read(linked.resolve().relative_to(FOLDER.resolve()).as_posix()).anchors, target


@pytest.mark.parametrize("path", FILES)
def test_a_page_is_finished_and_clean(path: str) -> None:
    page = read(path)
    assert strip_controls(page.text) == page.text
    assert not _FILLER.search(page.prose)
    assert page.text.endswith("\n")
    assert len(re.findall(r"^ *(?:```|~~~)", page.text, re.MULTILINE)) % 2 == 0


def test_every_entry_of_the_manifest_is_a_page_and_is_understood() -> None:
    manifest = parse_manifest((FOLDER / "manifest.json").read_bytes())
    assert manifest
    assert set(manifest) <= set(FILES)


def test_some_pages_have_front_matter_some_a_manifest_entry_and_some_neither() -> None:
    manifest = set(json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8")))
    fronted = {path for path in FILES if split_front_matter(read(path).text)[1]}
    assert len(fronted) > len(FILES) / 2
    assert set(FILES) - fronted - manifest


def test_every_kind_of_page_is_there(documents: dict[str, Document]) -> None:
    kinds = [document.metadata.type for document in documents.values()]
    assert kinds.count(DocumentType.CASE_STUDY) >= 4
    assert kinds.count(DocumentType.POLICY) >= 2
    assert kinds.count(DocumentType.CHANGELOG) >= 1
    assert kinds.count(DocumentType.INSTRUCTION) >= 40


@pytest.mark.parametrize("freshness", ["archived", "expired"])
def test_a_page_that_should_not_be_followed_is_there(documents: dict[str, Document], freshness: str) -> None:
    assert freshness in {standing(document.metadata, TODAY).freshness for document in documents.values()}


def test_the_services_people_ask_for_are_there(documents: dict[str, Document]) -> None:
    services = {document.metadata.service for document in documents.values()}
    assert services >= {"redis", "mysql", "kafka", "nginx"}


def labelled() -> Iterator[tuple[Path, LabelledQuestion]]:
    for file in sorted((DATA / "eval").glob("*.jsonl")):
        for question in read_questions(file):
            yield file, question


def test_every_labelled_question_names_pages_and_headings_that_are_there() -> None:
    for file, question in labelled():
        assert set(question.relevant) <= set(FILES), (file.name, question.qid)
        if question.heading:
            headings = {title.replace("`", "") for path in question.relevant for title in read(path).headings}
            assert question.heading.replace("`", "") in headings, (file.name, question.qid)


def test_there_are_enough_labelled_questions_of_every_sort() -> None:
    questions = read_questions(DATA / "eval" / "questions.jsonl")
    assert len(questions) >= 150
    assert sum(not question.relevant for question in questions) >= 25
    assert len({question.qid for question in questions}) == len(questions)
    assert len(read_questions(DATA / "eval" / "five_services.jsonl")) == 20


def test_the_glossary_joins_the_two_languages() -> None:
    glossary = Glossary.load(DATA / "glossary.txt")
    assert "disk" in glossary.expand("磁盘空间不足")
    assert glossary.expand("out of memory")


def test_the_first_start_embeds_nothing_and_is_hybrid(demo_engine: Engine) -> None:
    status = demo_engine.status()
    assert status.is_demo
    assert status.documents == len(FILES)
    assert status.vectors == status.chunks
    assert not list(Path(demo_engine._parts.reader._folder).parent.glob("cache/*")), "a vector was not shipped"


def test_the_demo_passes_every_check(demo_engine: Engine) -> None:
    assert [check for check in demo_engine.checks() if check.status is not CheckStatus.OK] == []


def test_every_cited_line_of_the_demo_opens(demo_engine: Engine) -> None:
    snapshot = demo_engine._open().snapshot
    for record in snapshot.documents:
        page = demo_engine.page(record.id)
        assert not page.is_stale, record.path
