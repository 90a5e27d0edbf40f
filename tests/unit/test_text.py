"""Text hygiene."""

import pytest

from oncall_tui.text import ellipsize, fold, language_of, normalize, single_line, strip_controls


@pytest.mark.parametrize(
    "text", ["plain", "tab\tstays", "two\nlines", "é ü ß", "重启服务", "⚠️ careful", "naïve “quotes” — dash"]
)
def test_visible_text_is_left_alone(text: str) -> None:
    assert strip_controls(text) == text


def test_a_windows_line_end_becomes_a_line_feed() -> None:
    assert strip_controls("one\r\ntwo\r\n") == "one\ntwo\n"


@pytest.mark.parametrize("mark", ["\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_a_break_that_editors_do_not_count_becomes_a_space(mark: str) -> None:
    assert strip_controls(f"one{mark}two") == "one two"


def test_a_colour_code_goes_and_its_text_stays() -> None:
    assert strip_controls("\x1b[1;31mFAILED\x1b[0m at boot") == "FAILED at boot"


def test_an_unfinished_escape_at_the_end_goes() -> None:
    assert strip_controls("done\x1b[") == "done"


def test_a_mis_encoded_quotation_mark_does_not_swallow_the_rest_of_its_line() -> None:
    garbled = "“do not restart” before the backup".encode().decode("latin-1")
    assert strip_controls(garbled).endswith("do not restartâ before the backup")


def test_a_mis_encoded_letter_does_not_swallow_its_neighbour() -> None:
    assert strip_controls("\x9brestart") == "restart"


def test_white_space_of_any_kind_and_length_becomes_one_space() -> None:
    assert single_line("  a\t b\n\n c\u3000d ") == "a b c d"


def test_a_short_text_is_not_shortened() -> None:
    assert ellipsize("disk full", 9) == "disk full"


def test_a_long_text_ends_in_an_ellipsis_within_the_width() -> None:
    assert ellipsize("disk is full", 9) == "disk is…"


def test_no_width_shows_no_text() -> None:
    assert ellipsize("disk", 0) == ""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("restart the broker", "en"),
        ("redémarrer le courtier", "en"),
        ("", "en"),
        ("42 % !", "en"),
        ("重启消息队列", "zh"),
        ("重启 redis 服务", "zh"),
        ("サーバーを再起動する", "ja"),
        ("서버를 다시 시작", "ko"),
        ("restart the whole cluster 重 and wait for the brokers", "en"),
    ],
)
def test_the_language_of_a_text_is_told_by_its_script(text: str, language: str) -> None:
    assert language_of(text) == language


def test_full_width_forms_become_ascii() -> None:
    assert normalize("ＲＥＤＩＳ：６３７９") == "REDIS:6379"


@pytest.mark.parametrize(
    ("text", "folded"), [("Café", "cafe"), ("STRASSE", "strasse"), ("Straße", "strasse"), ("ÅNGSTRÖM", "angstrom")]
)
def test_case_and_latin_accents_do_not_count_in_a_comparison(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize("text", ["が", "ガ", "й", "한"])
def test_the_marks_of_other_scripts_are_kept(text: str) -> None:
    assert fold(text) == text
