"""Problems in the files of a template, with file and line."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One problem in a file."""

    file: str
    line: int
    """Line number from 1; 0 for the whole file."""
    message: str
    is_warning: bool = False
    """Whether the template works nevertheless."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"
