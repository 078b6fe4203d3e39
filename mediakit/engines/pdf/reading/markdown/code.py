"""The text of code blocks, with indentation and empty lines."""

from collections.abc import Sequence

from mediakit.engines.pdf.reading.markdown.measures import Measures
from mediakit.engines.pdf.reading.markdown.rows import Row

MAX_BLANK_LINES = 4
"""Empty lines in a row; a larger distance is that to the next page."""


def code_text(rows: Sequence[Row], measures: Measures) -> str:
    """Return lines of code; indents and gaps are as many spaces as there is room for."""
    unit = _character_width(rows)
    left = min(row.x0 for row in rows)
    lines: list[str] = []
    for index, row in enumerate(rows):
        if index:
            distance = (row.y - rows[index - 1].y) / measures.code_pitch(row)
            lines += [""] * (max(0, round(distance) - 1) if distance <= MAX_BLANK_LINES + 1.5 else 0)
        lines.append(_line(row, left, unit))
    return "\n".join(lines)


def _line(row: Row, left: float, unit: float) -> str:
    text = ""
    for run in row.runs:
        content = run.text.lstrip(" ")
        start = run.x0 + (len(run.text) - len(content)) * unit
        text += " " * max(0, round((start - left) / unit) - len(text)) + content
    return text.rstrip()


def _character_width(rows: Sequence[Row]) -> float:
    widths = [(run.x1 - run.x0) / len(run.text) for row in rows for run in row.runs if len(run.text) > 1]
    return max(sorted(widths)[len(widths) // 2] if widths else rows[0].size * 0.6, 0.1)
