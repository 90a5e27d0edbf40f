"""Exceptions the application raises on purpose.

::

    OncallError              exit 1   something a person can cause or mend
    ├── ConfigError          exit 2   a settings file, flag or filter is wrong
    │   └── SourceError      exit 2   a source folder cannot be used
    ├── QuestionError        exit 2   the question is empty or too long
    ├── IndexMissingError    exit 3   there is no usable index
    │   └── IndexMismatchError exit 3 the index was made by something else
    ├── IndexBusyError       exit 1   another process is writing the index
    ├── EmbeddingError       exit 1   the embedding model cannot be used
    ├── DocumentError        exit 1   one file cannot be read as a document
    └── NotFoundError        exit 4   a citation or document does not exist
"""


class OncallError(Exception):
    """Base of every error that people can cause or mend.

    Args:
        message: What went wrong, in plain words.
        hint: What mends it, often a command.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(OncallError):
    """A settings file, a flag or a filter is wrong."""

    exit_code = 2


class SourceError(ConfigError):
    """A source folder cannot be used."""


class QuestionError(OncallError):
    """The question is empty or too long."""

    exit_code = 2


class IndexMissingError(OncallError):
    """There is no usable index."""

    exit_code = 3


class IndexMismatchError(IndexMissingError):
    """The index was made by another model, tokenizer or layout."""


class IndexBusyError(OncallError):
    """Another process is writing the index."""


class EmbeddingError(OncallError):
    """The embedding model cannot be loaded or used."""


class DocumentError(OncallError):
    """One file cannot be read as a document."""


class NotFoundError(OncallError):
    """A citation or a document does not exist."""

    exit_code = 4
