"""`Finding`: what one kind says of a code."""

from dataclasses import dataclass, field
from typing import Any

from mediakit.tools.validation.validate_code.options import CodeProblem


@dataclass(frozen=True, slots=True)
class Finding:
    """What one kind says of a code."""

    kind: str
    number: str
    """The code without separators."""
    problem: CodeProblem | None = None
    reason: str | None = None
    check_digit: str | None = None
    """The check digit that the code has."""
    expected: str | None = None
    """The check digit that it should have."""
    suggestion: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    """Further fields of the result."""
    warnings: tuple[str, ...] = ()
    normalized: str | None = None
    """The normal form, if it is not `number`."""

    @property
    def is_valid(self) -> bool:
        """Whether the code is of the kind."""
        return self.problem is None


def wrong(kind: str, number: str, problem: CodeProblem, reason: str) -> Finding:
    """Return the finding on a code that is not of the kind."""
    return Finding(kind, number, problem, reason)
