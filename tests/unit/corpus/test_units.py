"""What of a passage is quoted as one."""

from oncall_tui.corpus.units import quotable_units


def quoted(text: str, path: str = "a.md") -> list[str]:
    lines = text.split("\n")
    return ["\n".join(lines[span.start : span.stop]) for span in quotable_units(path, text)]


def test_a_heading_is_not_quoted() -> None:
    assert quoted("## Fix\n\nDrain it.") == ["Drain it."]


def test_a_command_belongs_to_the_words_over_it() -> None:
    assert quoted("Look:\n\n```bash\ndf -h\n```\n\nThen wait.") == ["Look:\n\n```bash\ndf -h\n```", "Then wait."]


def test_a_step_keeps_its_command_and_what_to_read_in_it() -> None:
    step = "1. Look.\n   ```bash\n   df -h\n   ```\n   Full is 100 %."
    assert quoted(f"{step}\n2. Wait.") == [step, "2. Wait."]


def test_a_table_is_quoted_whole() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"
    assert quoted(f"{table}\n\nAfter.") == [table, "After."]


def test_what_a_colon_announces_is_quoted_with_it() -> None:
    assert quoted("Limits:\n\n| a | b |\n|---|---|\n| 1 | 2 |") == ["Limits:\n\n| a | b |\n|---|---|\n| 1 | 2 |"]


def test_plain_text_is_quoted_by_paragraphs() -> None:
    assert quoted("One\ntwo\n\nthree\n", "a.txt") == ["One\ntwo", "three"]
