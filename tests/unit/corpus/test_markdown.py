"""Markdown to blocks."""

import pytest

from oncall_tui.corpus.blocks import Block, BlockKind
from oncall_tui.corpus.loaders.markdown import heading_text, parse
from oncall_tui.models import LineSpan


def kinds(text: str, start: int = 0) -> list[tuple[BlockKind, LineSpan]]:
    return [(block.kind, block.span) for block in parse(text, start)]


def test_a_heading_carries_its_level_and_words() -> None:
    assert list(parse("### Check the **replica**")) == [
        Block(BlockKind.HEADING, LineSpan(0, 1), 3, "Check the replica")
    ]


def test_an_underlined_heading_spans_both_lines() -> None:
    assert list(parse("Redis\n=====")) == [Block(BlockKind.HEADING, LineSpan(0, 2), 1, "Redis")]


def test_a_hash_inside_a_fence_is_no_heading() -> None:
    assert kinds("```sh\n# not a heading\n```") == [(BlockKind.CODE, LineSpan(0, 3))]


def test_a_fence_that_is_never_closed_goes_to_the_end() -> None:
    assert kinds("~~~\nkubectl get pods\n\n# still code") == [(BlockKind.CODE, LineSpan(0, 4))]


def test_a_step_keeps_the_command_and_the_warning_under_it() -> None:
    text = "1. Drain the node:\n\n   ```sh\n   kubectl drain n1\n   ```\n\n   Never force it.\n2. Wait."
    assert kinds(text) == [(BlockKind.ITEM, LineSpan(0, 7)), (BlockKind.ITEM, LineSpan(7, 8))]


def test_a_nested_list_stays_in_its_item() -> None:
    assert kinds("- a\n  - b\n  - c\n- d") == [(BlockKind.ITEM, LineSpan(0, 3)), (BlockKind.ITEM, LineSpan(3, 4))]


def test_a_table_is_rows_and_its_head_keeps_the_line_below() -> None:
    assert kinds("| code | meaning |\n|---|---|\n| 502 | bad gateway |\n| 504 | timeout |") == [
        (BlockKind.ROW, LineSpan(0, 2)),
        (BlockKind.ROW, LineSpan(2, 3)),
        (BlockKind.ROW, LineSpan(3, 4)),
    ]


@pytest.mark.parametrize("text", ["> quoted\n> twice", "<div>\nhtml\n</div>", "<!-- a\ncomment -->"])
def test_what_has_no_joints_of_its_own_is_one_block(text: str) -> None:
    assert [kind for kind, _ in kinds(text)] == [BlockKind.OTHER]


def test_the_target_of_a_link_that_is_defined_by_itself_is_a_block() -> None:
    assert kinds("See [the page][runbook].\n\n[runbook]: https://wiki/redis") == [
        (BlockKind.PARAGRAPH, LineSpan(0, 1)),
        (BlockKind.OTHER, LineSpan(2, 3)),
    ]


def test_line_numbers_count_from_the_top_of_the_file() -> None:
    assert kinds("---\ntitle: x\n---\n\n# Redis\n\nText.", 3) == [
        (BlockKind.HEADING, LineSpan(4, 5)),
        (BlockKind.PARAGRAPH, LineSpan(6, 7)),
    ]


def test_front_matter_without_a_body_gives_no_blocks() -> None:
    assert kinds("---\ntitle: x\n---", 3) == []


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("`kubectl` **fails**", "kubectl fails"),
        ("[Redis](https://redis.io) down", "Redis down"),
        ("![icon](x.png) Redis", "icon Redis"),
        ("Redis {#redis-anchor}", "Redis"),
        ('<a name="x"></a>Redis', "Redis"),
        ("_Never_ restart __twice__", "Never restart twice"),
        ("redis_blocked_clients is high", "redis_blocked_clients is high"),
        (r"5 \* 5 \[sic\]", "5 * 5 [sic]"),
        ("磁盘 `满`", "磁盘 满"),
    ],
)
def test_a_heading_is_read_as_plain_words(source: str, title: str) -> None:
    assert heading_text(source) == title
