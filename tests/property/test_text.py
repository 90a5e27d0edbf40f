"""What holds for any text at all."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from oncall_tui.text import ellipsize, fold, normalize, single_line, strip_controls

ANY_CHARACTER = st.characters(exclude_categories=())
"""Every code point, lone surrogates included."""

TRICKS = st.sampled_from(
    [
        "\x1b",
        "\x1b]",
        "\x1b]52;c;",
        "\x1b]8;;http://x",
        "\x1b[",
        "\x1b[31m",
        "\x1bP",
        "\x1b\\",
        "\x07",
        "\x9b1m",
        "\x9b",
        "\x9d8;;x",
        "\x9c",
        "\x90",
        "52;",
        "\r",
        "\n",
        "\r\n",
        "\x85",
        "\u2028",
        "\u202e",
        "\u200b",
        "\U000e0041",
        "�",
    ]
)
HOSTILE = st.lists(st.one_of(TRICKS, TRICKS, st.text(ANY_CHARACTER, max_size=5)), max_size=20).map("".join)
VISIBLE = st.text(st.characters(categories=["L", "N", "P", "S"], max_codepoint=0xFFF, exclude_characters="\u034f"))

DRAWN_FORMATS = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")
"""Beginnings of the names of the format characters that fonts draw."""


def is_seen(character: str) -> bool:
    """Return whether a reader sees a character, or an editor moves by it."""
    match unicodedata.category(character):
        case "Cc":
            return character in "\t\n"
        case "Zl" | "Zp" | "Cs":
            return False
        case "Cf":
            return unicodedata.name(character).startswith(DRAWN_FORMATS)
        case _:
            return True


@given(HOSTILE)
def test_nothing_that_a_reader_cannot_see_remains(text: str) -> None:
    assert all(map(is_seen, strip_controls(text)))


@given(HOSTILE)
def test_stripped_text_can_be_written_as_utf_8(text: str) -> None:
    assert strip_controls(text).encode().decode() == strip_controls(text)


@given(HOSTILE)
def test_stripping_twice_changes_nothing_more(text: str) -> None:
    assert strip_controls(strip_controls(text)) == strip_controls(text)


@given(HOSTILE)
def test_no_line_moves_and_no_line_reaches_into_the_next(text: str) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    assert strip_controls(text).split("\n") == list(map(strip_controls, lines))


@given(VISIBLE)
def test_visible_text_is_never_changed(text: str) -> None:
    assert strip_controls(text) == text


@given(VISIBLE)
def test_escapes_around_visible_text_leave_it_whole(text: str) -> None:
    assert strip_controls(f"\x1b]52;c;aGk=\x07{text}\x1b[0m") == text


@given(HOSTILE)
def test_a_single_line_has_no_breaks_and_no_double_spaces(text: str) -> None:
    line = single_line(text)
    assert line.split() == line.split(" ") or line == ""


@given(HOSTILE, st.integers(-3, 40))
def test_a_shortened_text_is_never_wider_than_asked(text: str, width: int) -> None:
    assert len(ellipsize(text, width)) <= max(width, 0)


@given(st.text())
def test_a_folded_text_folds_to_itself(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_case_never_counts_when_ascii_is_compared(text: str) -> None:
    assert fold(text.upper()) == fold(text.lower())


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E)))
def test_full_width_ascii_is_ascii(text: str) -> None:
    assert normalize("".join(chr(ord(character) + 0xFEE0) for character in text)) == text
