"""The glossary: other words for what a question says."""

from pathlib import Path

import pytest

from oncall_tui import locations
from oncall_tui.errors import ConfigError
from oncall_tui.retrieval.expand import Glossary

GLOSSARY = Glossary.of(
    [
        ("OOM", "out of memory", "内存溢出"),
        ("certificate", "cert", "证书"),
        ("load balancer", "LB", "负载均衡"),
        ("memory", "内存"),
    ]
)


def test_a_chinese_term_brings_in_its_english_words() -> None:
    assert {"out", "of", "memory", "oom"} <= GLOSSARY.expand("进程内存溢出").keys()


def test_an_abbreviation_brings_in_what_it_stands_for() -> None:
    assert {"load", "balancer", "负载", "均衡"} <= GLOSSARY.expand("LB is down").keys()


def test_the_longest_term_at_a_place_wins() -> None:
    assert GLOSSARY.terms_in("内存溢出") == ["内存溢出"]
    assert GLOSSARY.terms_in("out of memory") == ["out of memory"]


def test_a_term_of_several_words_is_found_among_others() -> None:
    assert GLOSSARY.terms_in("the Load Balancer of prod-a") == ["load balancer"]


def test_a_term_of_words_and_ideographs_is_found() -> None:
    assert Glossary.of([("io error", "io 错误")]).terms_in("磁盘 IO 错误") == ["io 错误"]


def test_an_abbreviation_inside_a_word_is_no_term() -> None:
    assert GLOSSARY.terms_in("album") == []


def test_the_questions_own_words_are_not_expansions() -> None:
    assert "memory" not in GLOSSARY.expand("OOM memory")


def test_a_word_of_a_long_term_weighs_less_than_a_term_of_one_word() -> None:
    expansions = GLOSSARY.expand("内存溢出")
    assert expansions["oom"] == pytest.approx(1.0)
    assert expansions["memory"] == pytest.approx(3**-0.5)


def test_an_unknown_text_brings_in_nothing() -> None:
    assert GLOSSARY.expand("etcd quorum") == {}


def test_a_persons_own_file_is_read_beside_the_shipped_one(tmp_path: Path) -> None:
    shipped, own = tmp_path / "shipped.txt", tmp_path / "own.txt"
    shipped.write_text("# version: 1\n\ncertificate = cert = 证书\n", encoding="utf-8")
    own.write_text("checkout = kasse\n", encoding="utf-8")
    glossary = Glossary.load(shipped, own)
    assert "cert" in glossary.expand("证书")
    assert "kasse" in glossary.expand("checkout")


def test_a_line_with_one_term_is_named(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("cert = 证书\nlonely\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="line 2 has one term only: 'lonely'"):
        Glossary.load(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Glossary.load(tmp_path / "none.txt")


def test_the_shipped_glossary_has_at_least_four_hundred_entries() -> None:
    assert len(Glossary.load(locations.shipped("data") / "glossary.txt").entries) >= 400
