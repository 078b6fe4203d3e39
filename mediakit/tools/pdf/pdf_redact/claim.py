"""What a proof has to show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mediakit.tools.pdf.pdf_redact.marks import Box
from mediakit.tools.pdf.pdf_redact.searching import Finder


@dataclass(frozen=True)
class Claim:
    """What must not be in a result any more."""

    finder: Finder
    """Finds what was to be removed."""
    selected: Sequence[int]
    """Indexes of the pages that were searched."""
    areas: Mapping[int, Sequence[Box]]
    """Areas that must be empty, in user space, by index of the page."""
    label: str = ""
    """Text that was drawn in the areas."""
    password: str | None = None
    """Password of the result."""
