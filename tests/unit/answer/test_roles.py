"""Which part of an answer a line belongs to."""

import pytest

from oncall_tui.answer.roles import section_of
from oncall_tui.models import Section


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Do not run FLUSHALL on a primary.", Section.RISKS),
        ("Never restart two brokers at once.", Section.RISKS),
        ("WARNING: this drops the table.", Section.RISKS),
        ("不要删除正在写入的文件。", Section.RISKS),
        ("Before you start, take a snapshot.", Section.BEFORE),
        ("**Prerequisites**: access to the bastion.", Section.BEFORE),
        ("前提:有堡垒机权限。", Section.BEFORE),
        ("This flag exists only since 7.2.", Section.LIMITS),
        ("Requires Redis 7.0 or later.", Section.LIMITS),
        ("仅适用于 MySQL 8.0。", Section.LIMITS),
    ],
)
def test_what_a_line_says_decides_first(text: str, section: Section) -> None:
    assert section_of(text, ("Fix",)) is section


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("Roll back", Section.ROLLBACK),
        ("回滚", Section.ROLLBACK),
        ("Escalation", Section.ESCALATE),
        ("升级与上报", Section.ESCALATE),
        ("Verify", Section.VERIFY),
        ("How to know that it is over", Section.VERIFY),
        ("验证", Section.VERIFY),
        ("Risks and what not to do", Section.RISKS),
        ("风险与禁止", Section.RISKS),
        ("Before you begin", Section.BEFORE),
        ("Version limits", Section.LIMITS),
        ("First five minutes", Section.STEPS),
        ("Mitigation", Section.STEPS),
        ("处理步骤", Section.STEPS),
        ("Diagnosis", Section.STEPS),
    ],
)
def test_else_the_heading_above_decides(heading: str, section: Section) -> None:
    assert section_of("Look at the graph.", ("Redis timeouts", heading)) is section


def test_the_nearest_heading_that_tells_decides() -> None:
    assert section_of("Look at the graph.", ("Fix", "Verify", "On the replica")) is Section.VERIFY


def test_where_nothing_tells_a_line_is_context() -> None:
    assert section_of("The pool holds 50 connections.", ("Redis", "Background")) is Section.CONTEXT
    assert section_of("The pool holds 50 connections.", ()) is Section.CONTEXT


def test_words_inside_a_command_do_not_decide() -> None:
    assert section_of("Run it:\n\n```\necho never\n```", ("Fix",)) is Section.STEPS
