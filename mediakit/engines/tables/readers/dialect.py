"""Finds the delimiter of a text."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass

from mediakit.engines.tables.columns.cells import NULL_WORDS
from mediakit.engines.tables.layout import looks_typed

_MAIN = ",;\t|"
_RARE = ": "
"""Delimiters that texts, times and names have, too: taken only where nothing else divides the lines."""

_SAMPLE_CHARACTERS = 200_000
_SAMPLE_ROWS = 300
_RARE_TYPED_SHARE = 0.4
_CONSISTENT = 0.9
_DECIMAL_LINE = re.compile(r"\s*-?\d[\d.'\u00a0\u202f ]*,\d+\s*")
_DIRECTIVE = re.compile(r'(?:\ufeff)?"?sep=(.)"?[ \t]*(?:\r\n|\r|\n|\Z)', re.IGNORECASE)


@dataclass(frozen=True)
class Fit:
    """How well a delimiter divides a text."""

    width: int
    """The most frequent number of cells of a row."""
    consistency: float
    """The share of rows of that width."""
    typed: float
    """The share of cells that look like numbers, moments or booleans."""

    @property
    def score(self) -> float:
        """Rows of one width weigh most, then cells that look like something."""
        return self.consistency**2 * (0.5 + self.typed) if self.width > 1 else 0.0


def directive(text: str) -> tuple[str, str] | None:
    """Return the delimiter that a `sep=` line declares and the text after the line."""
    match = _DIRECTIVE.match(text)
    return (match[1], text[match.end() :]) if match else None


def sniff(text: str) -> str:
    """Return the delimiter of a text; a comma where it has one column."""
    sample = _sample(text)
    fits = {mark: fit(sample, mark) for mark in _MAIN if mark in sample}
    best = max(fits, key=lambda mark: (fits[mark].score, fits[mark].width), default=",")
    if best == "," and best in fits and fits[best].width == 2 and _is_decimal_column(sample):
        return ";"
    if best in fits and fits[best].width > 1 and fits[best].consistency > 0.5:
        return best
    return _rare(sample) or (best if best in fits and fits[best].width > 1 else ",")


def _is_decimal_column(sample: str) -> bool:
    """Return whether a text is one column of numbers with decimal commas below a name."""
    name, *lines = [line for line in sample.splitlines() if line.strip()]
    return "," not in name and ";" not in sample and all(map(_DECIMAL_LINE.fullmatch, lines))


def _rare(sample: str) -> str | None:
    whole = fit(sample, "\N{UNIT SEPARATOR}")
    for mark in _RARE:
        found = fit(sample, mark) if mark in sample else None
        if found and found.width > 1 and found.consistency >= _CONSISTENT and found.typed > _RARE_TYPED_SHARE:
            return mark if found.typed > whole.typed else None
    return None


def fit(sample: str, delimiter: str) -> Fit:
    """Measure how well a delimiter divides a text."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=delimiter == " ")
    rows = [row for row in reader if any(cell.strip() for cell in row)][:_SAMPLE_ROWS]
    if (
        len(rows) > 2 and len(rows[0]) > 1 and {len(row) for row in rows[1:]} == {len(rows[0]) + 1}
    ):  # R has no name for row names
        del rows[0]
    if not rows:
        return Fit(1, 1.0, 0.0)
    widths = Counter(map(len, rows))
    width, count = max(widths.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
    if width == 1:
        count = widths[1]
    cells = [cell for row in rows if len(row) == width for cell in row]
    typed = sum(looks_typed(cell) or not cell.strip() or cell.strip() in NULL_WORDS for cell in cells)
    return Fit(width, count / len(rows), typed / len(cells))


def _sample(text: str) -> str:
    """Return the beginning of a text up to a line's end."""
    if len(text) <= _SAMPLE_CHARACTERS:
        return text
    end = max(text.rfind("\n", 0, _SAMPLE_CHARACTERS), text.rfind("\r", 0, _SAMPLE_CHARACTERS))
    return text[: end + 1] if end > 0 else text[:_SAMPLE_CHARACTERS]
