"""The error of a tag that does not follow the language; callers add the tag and its place."""


class LanguageError(Exception):
    """A tag cannot be parsed."""

    def __init__(self, reason: str, *, is_filter: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        """What is wrong, in words that follow the tag."""
        self.is_filter = is_filter
        """Whether a filter is unknown."""


class ValueProblem(Exception):  # noqa: N818  # of the data, not of the program
    """A value does not fit where it is used."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        """What it must be, in words that follow its path."""
