"""The errors that people can cause or mend."""

import pytest

from oncall_tui import errors


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.OncallError, 1),
        (errors.ConfigError, 2),
        (errors.SourceError, 2),
        (errors.QuestionError, 2),
        (errors.IndexMissingError, 3),
        (errors.IndexMismatchError, 3),
        (errors.IndexBusyError, 1),
        (errors.EmbeddingError, 1),
        (errors.DocumentError, 1),
        (errors.NotFoundError, 4),
    ],
)
def test_each_error_ends_the_command_with_its_own_code(kind: type[errors.OncallError], code: int) -> None:
    assert kind("It broke.").exit_code == code


def test_an_error_carries_its_message_and_what_mends_it() -> None:
    error = errors.ConfigError("No such key.", hint="Did you mean theme?")
    assert (str(error), error.message, error.hint) == ("No such key.", "No such key.", "Did you mean theme?")


def test_an_error_needs_no_hint() -> None:
    assert errors.OncallError("It broke.").hint == ""
