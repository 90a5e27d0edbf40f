"""reStructuredText to blocks."""

import pytest

from oncall_tui.corpus.blocks import Block, BlockKind
from oncall_tui.corpus.loaders.restructured_text import heading_text, parse, split_fields
from oncall_tui.models import LineSpan

HEADING, PARAGRAPH, CODE = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.CODE
ITEM, ROW, OTHER = BlockKind.ITEM, BlockKind.ROW, BlockKind.OTHER


def kinds(text: str, start: int = 0) -> list[tuple[BlockKind, int, int]]:
    """Return each block's kind, first line and the line after its last."""
    return [(block.kind, block.span.start, block.span.stop) for block in parse(text, start)]


def titles(text: str) -> list[tuple[int, str]]:
    return [(block.level, block.title) for block in parse(text) if block.kind is HEADING]


# Sections


def test_an_underlined_title_spans_both_lines() -> None:
    assert list(parse("Redis\n=====")) == [Block(HEADING, LineSpan(0, 2), 1, "Redis")]


def test_a_title_between_two_lines_spans_three() -> None:
    assert list(parse("=======\n Redis\n=======")) == [Block(HEADING, LineSpan(0, 3), 1, "Redis")]


def test_levels_are_given_in_the_order_in_which_styles_appear() -> None:
    text = "====\nPage\n====\n\nOne\n~~~~\n\nTwo\n----\n\nThree\n~~~~~\n\nFour\n====\n"
    assert titles(text) == [(1, "Page"), (2, "One"), (3, "Two"), (2, "Three"), (4, "Four")]


def test_any_punctuation_may_underline() -> None:
    assert titles("A title\n!!!!!!!\n\nOther\n''''''") == [(1, "A title"), (2, "Other")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Redis\n---", []),
        ("Redis\n----", [(1, "Redis")]),
        ("id\n--", [(1, "id")]),
        ("磁盘\n---", []),
        ("磁盘\n----", [(1, "磁盘")]),
    ],
)
def test_a_short_underline_counts_only_if_it_is_as_long_as_its_title(text: str, found: list[tuple[int, str]]) -> None:
    assert titles(text) == found


@pytest.mark.parametrize(
    "text",
    ["  Redis\n  =====", "one\ntwo\n===", "======\nRedis\n-----", "Redis\n=-=-=", "Redis\n\n=====", "====\nRedis"],
)
def test_what_only_resembles_a_title_is_none(text: str) -> None:
    assert titles(text) == []


def test_a_numbered_title_is_a_title_and_no_step() -> None:
    assert titles("1. Drain the node\n=================") == [(1, "1. Drain the node")]


def test_a_line_between_paragraphs_is_no_title() -> None:
    assert kinds("one\n\n-----\n\ntwo") == [(PARAGRAPH, 0, 1), (OTHER, 2, 3), (PARAGRAPH, 4, 5)]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("The ``nova`` service", "The nova service"),
        (":command:`kubectl` fails", "kubectl fails"),
        ("See :ref:`Fail over <failover>`", "See Fail over"),
        ("`Redis <https://redis.io>`_ down", "Redis down"),
        ("*Never* restart **twice**", "Never restart twice"),
        (r"5 \* 5", "5 * 5"),
        ("blocked_clients is high", "blocked_clients is high"),
        ("磁盘 ``满``", "磁盘 满"),
    ],
)
def test_a_title_is_read_as_plain_words(source: str, title: str) -> None:
    assert heading_text(source) == title


# Paragraphs and literal blocks


def test_paragraphs_are_what_blank_lines_separate() -> None:
    assert kinds("one\ntwo\n\n\nthree\n") == [(PARAGRAPH, 0, 2), (PARAGRAPH, 4, 5)]


def test_a_quoted_paragraph_is_a_paragraph() -> None:
    assert kinds("one\n\n   quoted\n   twice\n\nthree") == [(PARAGRAPH, 0, 1), (PARAGRAPH, 2, 4), (PARAGRAPH, 5, 6)]


def test_two_colons_announce_a_literal_block() -> None:
    text = "Run this::\n\n   redis-cli info\n\n   # not a title\n   =============\n\nThen wait."
    assert kinds(text) == [(PARAGRAPH, 0, 1), (CODE, 2, 6), (PARAGRAPH, 7, 8)]


def test_two_colons_alone_belong_to_their_literal_block() -> None:
    assert kinds("Run this:\n\n::\n\n   reboot\n\nWait.") == [(PARAGRAPH, 0, 1), (CODE, 2, 5), (PARAGRAPH, 6, 7)]


def test_a_literal_block_may_be_quoted_by_punctuation_instead_of_indented() -> None:
    assert kinds("Run::\n\n> reboot\n> now\n\nWait.") == [(PARAGRAPH, 0, 1), (CODE, 2, 4), (PARAGRAPH, 5, 6)]


@pytest.mark.parametrize("text", ["Run::", "Run::\n\nWait.", "   Run::\n\n> x"])
def test_two_colons_with_nothing_literal_after_them_announce_nothing(text: str) -> None:
    assert CODE not in [kind for kind, _, _ in kinds(text)]


@pytest.mark.parametrize("name", ["code-block", "code", "sourcecode", "parsed-literal", "Code-Block"])
def test_a_code_directive_is_code_with_its_options_and_blank_lines(name: str) -> None:
    text = f".. {name}:: console\n   :linenos:\n\n   $ reboot\n\n   $ uptime\n\nWait."
    assert kinds(text) == [(CODE, 0, 6), (PARAGRAPH, 7, 8)]


def test_a_console_session_is_code() -> None:
    assert kinds(">>> 1 + 1\n2\n\nWait.") == [(CODE, 0, 2), (PARAGRAPH, 3, 4)]


# Lists


@pytest.mark.parametrize("mark", ["-", "*", "+", "•"])
def test_each_item_of_a_bullet_list_is_a_block(mark: str) -> None:
    assert kinds(f"{mark} one\n  more\n{mark} two\n\n{mark} three") == [(ITEM, 0, 2), (ITEM, 2, 3), (ITEM, 4, 5)]


@pytest.mark.parametrize("mark", ["1.", "#.", "a)", "(3)", "iv.", "(#)"])
def test_each_step_is_a_block(mark: str) -> None:
    assert kinds(f"{mark} one\n\n{mark} two") == [(ITEM, 0, 1), (ITEM, 2, 3)]


def test_a_step_keeps_the_command_the_warning_and_the_list_under_it() -> None:
    text = (
        "#. Drain::\n\n      kubectl drain n1\n\n   .. warning:: Never force it.\n\n   * a\n   * b\n\n#. Wait.\n\nDone."
    )
    assert kinds(text) == [(ITEM, 0, 8), (ITEM, 9, 10), (PARAGRAPH, 11, 12)]


def test_running_text_that_starts_with_an_initial_is_no_step() -> None:
    assert kinds("A. Einstein wrote\nthis page.") == [(PARAGRAPH, 0, 2)]


def test_emphasis_at_the_start_of_a_line_is_no_item() -> None:
    assert kinds("*Never* do it.\n\n**Ever**") == [(PARAGRAPH, 0, 1), (PARAGRAPH, 2, 3)]


def test_a_term_and_what_it_means_are_one_block() -> None:
    assert kinds("maxclients\n   How many.\n\n   At once.\ntimeout : seconds\n   How long.") == [
        (ITEM, 0, 4),
        (ITEM, 4, 6),
    ]


def test_each_field_is_a_block_and_a_role_is_none() -> None:
    assert kinds(":Effect: Writes\n   fail.\n:Urgency: high\n\n:command:`ls` lists.") == [
        (ITEM, 0, 2),
        (ITEM, 2, 3),
        (PARAGRAPH, 4, 5),
    ]


def test_each_option_is_a_block() -> None:
    assert kinds("-f         Freeze.\n--umount   Thaw\n           it.\n-o FILE, --out=FILE  Write.") == [
        (ITEM, 0, 1),
        (ITEM, 1, 3),
        (ITEM, 3, 4),
    ]


def test_lines_with_bars_are_one_block() -> None:
    assert kinds("| one\n| two\n\n|name| is replaced.") == [(OTHER, 0, 2), (PARAGRAPH, 3, 4)]


def test_each_entry_of_a_glossary_is_a_block() -> None:
    text = (
        ".. glossary::\n   :sorted:\n\n   AMI\n   image\n\n      A disk.\n\n      Bootable.\n\n   zone\n      A part.\n"
    )
    assert kinds(text) == [(ITEM, 0, 9), (ITEM, 10, 12)]


# Directives and what has no text


@pytest.mark.parametrize("name", ["note", "warning", "danger", "caution", "tip", "seealso", "admonition", "my-own"])
def test_an_admonition_is_one_block_with_all_of_its_text(name: str) -> None:
    text = f".. {name}:: Never\n   force it.\n\n   * Wait.\n\nDone."
    assert kinds(text) == [(OTHER, 0, 4), (PARAGRAPH, 5, 6)]


@pytest.mark.parametrize(
    "hidden",
    [
        ".. a comment\n   that goes on\n\n   and on",
        "..\n   a comment",
        ".. _redis-timeouts:",
        ".. _wiki: https://wiki/redis\n   /timeouts",
        ".. __: https://wiki",
        "__ https://wiki",
        ".. |logo| image:: logo.png",
        ".. toctree::\n   :maxdepth: 2\n\n   one\n   two",
        ".. contents::",
        ".. index:: redis",
        ".. raw:: html\n\n   <script>alert(1)</script>",
    ],
)
def test_what_has_no_text_of_the_page_is_in_no_block(hidden: str) -> None:
    text = f"One.\n\n{hidden}\n\nTwo."
    assert kinds(text) == [(PARAGRAPH, 0, 1), (PARAGRAPH, text.count("\n"), text.count("\n") + 1)]


def test_an_empty_comment_ends_what_is_before_it_and_has_no_body() -> None:
    assert kinds("..\n\n   quoted") == [(PARAGRAPH, 2, 3)]


@pytest.mark.parametrize("mark", ["[1]", "[#]", "[#label]", "[*]", "[CIT2002]"])
def test_a_footnote_is_a_block(mark: str) -> None:
    assert kinds(f".. {mark} See the\n   manual.") == [(OTHER, 0, 2)]


def test_what_is_in_a_container_is_read_as_if_it_stood_by_itself() -> None:
    text = ".. only:: html\n   :name: x\n\n   .. container:: wide\n\n      Run::\n\n         reboot\n\n      1. Wait."
    assert kinds(text) == [(OTHER, 0, 2), (OTHER, 3, 4), (PARAGRAPH, 5, 6), (CODE, 7, 8), (ITEM, 9, 10)]


# Tables


def test_a_grid_table_is_rows_with_the_borders_below_them() -> None:
    text = "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   | 3 |\n+---+---+\n| 4 | 5 |\n+---+---+\n\nDone."
    assert kinds(text) == [(ROW, 0, 3), (ROW, 3, 6), (ROW, 6, 8), (PARAGRAPH, 9, 10)]


def test_a_simple_table_is_rows_and_a_blank_first_column_goes_on_with_the_row_above() -> None:
    text = "===  =====\nid   means\n===  =====\n502  bad\n     gateway\n\n504  slow\n===  =====\n\nDone."
    assert kinds(text) == [(ROW, 0, 3), (ROW, 3, 5), (ROW, 6, 8), (PARAGRAPH, 9, 10)]


def test_a_simple_table_may_have_no_head() -> None:
    assert kinds("===  ===\n502  bad\n504  slow\n===  ===") == [(ROW, 0, 2), (ROW, 2, 4)]


def test_a_list_table_is_rows_and_the_first_has_the_caption() -> None:
    head = ".. list-table:: Codes\n   :header-rows: 1\n\n"
    text = head + "   * - code\n     - means\n   * - 502\n     - * bad\n       * gateway\n"
    assert kinds(text) == [(ROW, 0, 5), (ROW, 5, 8)]


def test_a_csv_table_is_rows() -> None:
    assert kinds('.. csv-table::\n   :header: "a", "b"\n\n   1, 2\n   3, 4') == [(ROW, 0, 4), (ROW, 4, 5)]


def test_a_table_with_a_caption_is_rows() -> None:
    text = ".. table:: Codes\n\n   ===  ===\n   502  bad\n   504  slow\n   ===  ===\n\nDone."
    assert kinds(text) == [(ROW, 0, 4), (ROW, 4, 6), (PARAGRAPH, 7, 8)]


@pytest.mark.parametrize("name", ["table", "list-table", "csv-table"])
def test_a_table_without_rows_is_one_block(name: str) -> None:
    assert kinds(f".. {name}:: Codes\n   :file: codes.csv\n\nDone.") == [(OTHER, 0, 2), (PARAGRAPH, 3, 4)]


@pytest.mark.parametrize("text", ["===  ===\nnever closed", "+-- no border\n| x"])
def test_what_only_resembles_a_table_is_text(text: str) -> None:
    assert ROW not in [kind for kind, _, _ in kinds(text)]


def test_tabs_indent_to_the_next_eighth_column() -> None:
    assert kinds("- one\n\tmore\n\n\t- nested\n- two") == [(ITEM, 0, 4), (ITEM, 4, 5)]


def test_line_numbers_count_from_the_top_of_the_file() -> None:
    assert kinds(":service: redis\n\nRedis\n=====\n\nText.", 1) == [(HEADING, 2, 4), (PARAGRAPH, 5, 6)]


# Fields at the top


def test_fields_at_the_top_are_values_and_no_part_of_the_body() -> None:
    text = ".. a licence\n\n:Service: redis\n:last-updated: 2026-11-01\n:tags: cache,\n   timeout\n\nRedis\n=====\n"
    values, start = split_fields(text)
    assert values == {"service": "redis", "last_updated": "2026-11-01", "tags": "cache, timeout"}
    assert kinds(text, start)[0] == (HEADING, 7, 9)


def test_fields_under_the_title_are_values_and_stay_in_the_body() -> None:
    text = ".. _redis:\n\nRedis\n=====\n\n:owner: infra\n\nText."
    assert split_fields(text) == ({"owner": "infra"}, 0)
    assert (ITEM, 5, 6) in kinds(text)


@pytest.mark.parametrize("text", ["", "Redis\n=====\n\nText.\n\n:owner: infra", "Text.", ":command:`ls` lists."])
def test_a_page_without_fields_at_its_top_has_none(text: str) -> None:
    assert split_fields(text) == ({}, 0)
