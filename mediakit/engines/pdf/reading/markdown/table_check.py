"""Whether what was found as a table is one, by the type of its text."""

from collections.abc import Sequence

from mediakit.engines.pdf.reading.markdown.runs import StyledLine

MAX_MONO = 0.6
"""Share of the letters of a fixed-width font; with more, aligned lines are code."""

ADJACENT_EMS = 0.6
"""Space between words of one line, in sizes of the font, at most."""


def is_table(inside: Sequence[StyledLine], outside: Sequence[StyledLine]) -> bool:
    """Return whether lines are a table, not code and not a part of running text.

    Args:
        inside: The lines in the box that was found.
        outside: The other lines of the page.
    """
    letters = sum(len(run.text.strip()) for line in inside for run in line.runs)
    mono = sum(len(run.text.strip()) for line in inside for run in line.runs if run.mono)
    return letters > 0 and mono <= MAX_MONO * letters and not any(_cuts(line, outside) for line in inside)


def _cuts(line: StyledLine, outside: Sequence[StyledLine]) -> bool:
    """Return whether the text of a line goes on outside."""
    space = ADJACENT_EMS * line.size
    return any(
        abs(other.y - line.y) < 0.1 * line.size and -space < max(other.x0 - line.x1, line.x0 - other.x1) < space
        for other in outside
    )
