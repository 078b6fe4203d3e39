"""What is wanted of a file; both the worker and who asks it know this."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wish:
    """What to read in a file."""

    formats: tuple[str, ...] = ()
    """Names of symbologies and groups; none: all."""
    max_codes: int = 20
    pages: str | None = None
    """Pages of a PDF, as `1-3,5`; None: all."""
    scale: float = 2.0
    """How finely pages are drawn, in multiples of 72 pixels an inch."""
