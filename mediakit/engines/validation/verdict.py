"""The verdict on one value."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a value is valid, and why not.

    A tool has a function `check(value, options)` that returns it for one value, which is not empty and has no white
    space and no invisible characters around it.
    """

    valid: bool
    normalized: str | None = None
    """The normal form of a valid value."""
    reason: str | None = None
    """Why the value is not valid: one sentence."""
    code: str | None = None
    """A stable word for the reason."""
    suggestion: str | None = None
    """A value that would be valid."""
    details: dict[str, Any] = field(default_factory=dict)
    """The further fields of the tool; those that are not here are None in the result."""
    warnings: tuple[str, ...] = ()
    """Sentences for `meta.warnings`."""
    identity: str | None = None
    """The text by which duplicates are found, if that is not `normalized`. It is not part of a response."""


def invalid(code: str, reason: str, suggestion: str | None = None, **details: Any) -> Verdict:
    """Return the verdict on a value that is not valid."""
    return Verdict(valid=False, reason=reason, code=code, suggestion=suggestion, details=details)


EMPTY = Verdict(valid=False, reason="The value is empty.", code="empty")
