"""How a text or a sheet is laid out: its delimiter, where the table begins, whether its first row names the columns.

The rows are those of a delimited text, of a sheet or of an array of arrays; an empty cell is "" or None. Both questions
about rows are answered by contrast: names are of another kind than the values below them. DuckDB's reader and
`csv.Sniffer` decide about headers by the same rule.
"""

import csv
import datetime as dt
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import accumulate, islice, pairwise, zip_longest
from operator import or_
from typing import Any

from mediakit.engines.tables.columns.cells import NULL_WORDS
from mediakit.engines.tables.model import Facts, ReadOptions

Row = Sequence[Any]


class Kind:
    """What a cell looks like, as a bit. Several bits together are the kinds of the cells of a column."""

    EMPTY = 0
    TEXT = 1
    NUMBER = 2
    BOOLEAN = 4
    DAY = 8
    """A date, a month, a quarter, a week or a datetime."""
    TIME = 16
    NULL = 32
    """A word for null, such as NA."""


_MOMENTS_AND_BOOLEANS = (Kind.DAY, Kind.TIME, Kind.BOOLEAN)
_MONTH = (
    "(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
_TIME = r"\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\ ?[AaPp][Mm])?"
_DAY = rf"""(?:
      \d{{4}}[-/.]\d\d?[-/.]\d\d?             # 2024-01-31
    | \d\d?([-/.])\d\d?\1(?:\d{{4}}|\d\d)     # 31.01.2024, 1/31/24
    | \d\d?[- ]{_MONTH}(?:[- ,.]+'?(?:\d{{4}}|\d\d))?
    | {_MONTH}\ \d\d?(?:,?\ \d{{4}})?
    | \d{{4}}[-/](?:0[1-9]|1[0-2])            # months
    | (?:0?[1-9]|1[0-2])/\d{{4}}
    | {_MONTH}[-.,/ ]*'?(?:\d{{4}}|\d\d)
    | \d{{4}}[- ]?[QW]\d\d?                   # quarters and weeks
    | [QW]\d\d?[-/ ]*'?\d{{2,4}}
    )(?:[T ,]+{_TIME}.*)?"""
_NUMBER = r"""(?:
      [-+\u2212]?(?:\d+(?:[.,'\u00a0\u202f]\d+)*(?:[eE][-+]?\d+)?|[.,]\d+)\ ?%?
    | [-+\u2212]?[$\u20ac\u00a3]\ ?[-+\u2212]?\d[\d.,]* | [-+\u2212]?\d[\d.,]*\ ?[$\u20ac\u00a3]
    )"""
_KINDS = (
    (Kind.DAY, re.compile(_DAY, re.VERBOSE)),
    (Kind.TIME, re.compile(_TIME)),
    (Kind.NUMBER, re.compile(_NUMBER, re.VERBOSE)),
    (Kind.BOOLEAN, re.compile("true|false|yes|no|oui|non|ja|nein|s[ií]", re.IGNORECASE)),
)
_PERIOD = re.compile(r"(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)?")
"""A year, a month such as 202401 or a day such as 20240131, written as a number."""

_MOST_CELLS = 100_000
"""Cells that are looked at."""
_MOST_ROWS = 500
_MOST_ROWS_ABOVE = 100
_MOST_NAME_VALUE_LINES = 30


def kind_of(cell: Any) -> int:
    """Return what a cell looks like."""
    if isinstance(cell, str):
        return _kind_of_text(cell)
    if cell is None:
        return Kind.EMPTY
    if isinstance(cell, bool):
        return Kind.BOOLEAN
    if isinstance(cell, dt.date):
        return Kind.DAY
    if isinstance(cell, dt.time | dt.timedelta):
        return Kind.TIME
    return Kind.NUMBER if isinstance(cell, int | float | Decimal) else Kind.TEXT


@lru_cache(maxsize=20_000)
def _kind_of_text(cell: str) -> int:
    text = cell.strip()
    if not text or text in NULL_WORDS:
        return Kind.NULL if text else Kind.EMPTY
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(text)), Kind.TEXT)


def has_header(rows: Sequence[Row]) -> bool:
    """Return whether the first row names the columns.

    Each column whose other cells look typed votes; see `_vote`. Without such a column the first row is a header unless
    a column has its first cell again further down.
    """
    shown = _Rows(rows)
    first, kinds = rows[0], shown.kinds[0]
    if not any(shown.filled[1:]):
        names = [kind for kind in kinds if kind]
        return Kind.TEXT in names and set(names) <= {Kind.TEXT, Kind.DAY} and names.count(Kind.DAY) != 1
    if any(shown.votes(0)):
        return shown.agreement(0) > 0
    values = [kind for cell, kind in zip(first, kinds, strict=True) if kind and not isinstance(cell, str)]
    if values and not shown.are_periods(0) and (set(values) != {Kind.DAY} or len(values) == 1):
        return False
    cells = enumerate(zip(first, kinds, strict=True))
    return not any(kind and _text(cell) in shown.texts_below(place) for place, (cell, kind) in cells)


def rows_above(rows: Sequence[Row], options: ReadOptions, facts: Facts) -> int:
    """Return the number of rows above the table: blank rows, titles, and lines of a name and a value.

    Args:
        rows: The first rows; a blank row is empty or has empty cells only.
        options: No row is above the table if `skip` is set.
        facts: Receives the number, and a warning if lines with several cells are among them.
    """
    blank = next((place for place, row in enumerate(rows) if any(map(kind_of, row))), 0)
    if options.skip is not None or not rows:
        return blank if options.skip else 0
    shown = _Rows(rows[blank:])
    usual = shown.usual(0)
    start = next((place for place in range(len(shown.filled)) if shown.may_begin(place, usual)), 0)
    if sum(map(bool, shown.filled[:start])) > _MOST_ROWS_ABOVE:
        start = next(place for place, count in enumerate(shown.filled) if count)
    following = [place for place in range(start + 1, len(shown.filled)) if shown.filled[place]]
    found = (place for place in following[:_MOST_NAME_VALUE_LINES] if shown.begins_below_lines(start, place))
    start = next(found, start)
    is_notable = max(shown.filled[:start], default=0) > 1
    start += blank
    facts.skipped_lines += start
    if is_notable:
        which = "first line was" if start == 1 else f"first {start} lines were"
        facts.warn(f"The {which} skipped, as lines above the table; set skip to decide.")
    return start


class _Rows:
    """The first rows of a source, and the kinds of their cells."""

    def __init__(self, rows: Sequence[Row]) -> None:
        width = max(map(len, rows[:_MOST_ROWS]), default=1)
        self.rows = rows[: max(20, min(_MOST_ROWS, _MOST_CELLS // max(1, width)))]
        self.width = width
        is_text = {type(cell) for row in self.rows for cell in row} <= {str}
        self.kinds = [list(map(_kind_of_text if is_text else kind_of, row)) for row in self.rows]
        self.filled = [len(kinds) - kinds.count(Kind.EMPTY) for kinds in self.kinds]
        """The number of cells of each row that are not empty."""

    @cached_property
    def _below(self) -> list[tuple[int, ...]]:
        columns = zip_longest(*self.kinds[::-1], fillvalue=Kind.EMPTY)
        seen = [accumulate(column[:-1], or_, initial=Kind.EMPTY) for column in columns]
        return list(zip(*seen, strict=True))[::-1]

    def below(self, place: int) -> list[int]:
        """Return the kinds in each column below a row, without empty cells and words for null."""
        return [kind & ~Kind.NULL for kind in self._below[place]]

    def votes(self, place: int) -> list[int]:
        """Return the vote of each column whether a row is a header."""
        return list(map(_vote, self.kinds[place], self.below(place)))

    def agreement(self, place: int) -> int:
        """Return the sum of the votes for a row; years and other periods are names although they are numbers."""
        total = sum(self.votes(place))
        return 1 if total <= 0 and self.are_periods(place) else total

    def are_periods(self, place: int) -> bool:
        """Return whether the numbers of a row are different years or such, above values that are not."""
        cells = list(zip(self.rows[place], self.kinds[place], strict=True))
        numbers = {column: _text(cell) for column, (cell, kind) in enumerate(cells) if kind == Kind.NUMBER}
        periods = list(numbers.values())
        if not periods or not all(map(_PERIOD.fullmatch, periods)) or Kind.BOOLEAN in self.kinds[place]:
            return False
        if len(set(map(len, periods))) > 1 or len(set(periods)) < len(periods):
            return False
        if len(periods[0]) > 4 and not (len(periods) > 1 and all(one < two for one, two in pairwise(periods))):
            return False
        return not all(_PERIOD.fullmatch(text) for column in numbers for text in self.texts_below(column, place))

    def texts_below(self, column: int, place: int = 0) -> set[str]:
        """Return the cells of a column below a row as texts, without empty ones and words for null."""
        rows = zip(self.rows[place + 1 :], self.kinds[place + 1 :], strict=True)
        return {_text(row[column]) for row, kinds in rows if column < len(row) and kinds[column] & ~Kind.NULL}

    def usual(self, place: int) -> int:
        """Return how many cells the rows from here on have mostly, judged by the second half of those not blank."""
        counts = [count for count in self.filled[place:] if count]
        half = sorted(counts[len(counts) // 2 :])
        return half[len(half) // 2] if half else 0

    def may_begin(self, place: int, usual: int) -> bool:
        """Return whether the table may begin at a row: it is neither blank nor a title.

        One cell above wider rows is a title. It is a header if it is one word and the next row is one of values, or if
        it is one word above two columns of texts.
        """
        count = self.filled[place]
        if usual <= 1 or count > max(1, usual // 2) or not count:
            return count > 0
        following = next((each for each in range(place + 1, len(self.rows)) if self.filled[each]), None)
        if following is None:
            return True
        row, agreement = self.rows[place], self.agreement(following)
        if agreement > 0 or count > 1:
            return agreement <= 0
        text = _text(next(cell for cell, kind in zip(row, self.kinds[place], strict=True) if kind))
        if following > place + 1 or " " in text:
            return False
        return agreement < 0 or (usual == 2 and len(row) > 1)

    def begins_below_lines(self, start: int, place: int) -> bool:
        """Return whether a row is a header, and the rows from `start` to it are lines of a name and a value."""
        above = [each for each in range(start, place) if self.filled[each]]
        count, votes, agreement = self.filled[place], self.votes(place), self.agreement(place)
        if count < 2 or agreement < 0 or not any(self.filled[place + 1 :]):
            return False
        has_blank_above = not self.filled[place - 1]
        widest = max(self.filled[each] for each in above)
        if min(count, self.usual(place + 1)) > widest:
            return agreement > 0 or has_blank_above
        if agreement == 0 or (-1 in votes and not self.are_periods(place)):
            return False
        if all(_text(self.rows[each][0]).endswith(":") for each in above):
            return True
        if not has_blank_above or count < self.usual(place + 1) or self._is_table(above):
            return False
        kinds = self._kinds_in(above[1:])
        below = self.below(place)
        return votes.count(1) > 1 or any(kinds[column] & ~below[column] for column, vote in enumerate(votes) if vote)

    def _is_table(self, places: Sequence[int]) -> bool:
        """Return whether rows are a table of their own: each column of one kind below its name."""
        kinds = self._kinds_in(places[1:])
        votes = list(map(_vote, self.kinds[places[0]], kinds))
        return len(places) > 2 and sum(votes) > 0 and all(each.bit_count() <= 1 for each in kinds)

    def _kinds_in(self, places: Iterable[int]) -> list[int]:
        """Return the kinds in each column of these rows."""
        seen = [0] * self.width
        for place in places:
            for column, kind in enumerate(self.kinds[place]):
                seen[column] |= kind & ~Kind.NULL
        return seen


def _vote(kind: int, below: int) -> int:
    """Return 1 for a name above values, -1 for a value above values, 0 where neither can be said.

    A text above typed values is a name, and so are a moment and a boolean above values of one other kind: dates above
    numbers.
    """
    if not kind or not below or below & Kind.TEXT:
        return 0
    if kind == Kind.TEXT:
        return 1
    is_contrast = kind in _MOMENTS_AND_BOOLEANS and below.bit_count() == 1 and kind != below
    return 1 if is_contrast else -1


def _text(cell: Any) -> str:
    return str(cell).strip()


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
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > _SAMPLE_CHARACTERS and (end := max(sample.rfind("\n"), sample.rfind("\r"))) > 0:
        sample = sample[: end + 1]
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
    fits = ((mark, fit(sample, mark)) for mark in _RARE if mark in sample)
    for mark, found in fits:
        if found.width > 1 and found.consistency >= _CONSISTENT and found.typed > _RARE_TYPED_SHARE:
            return mark if found.typed > fit(sample, "\N{UNIT SEPARATOR}").typed else None
    return None


def fit(sample: str, delimiter: str) -> Fit:
    """Measure how well a delimiter divides a text."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=delimiter == " ")
    rows = list(islice((row for row in reader if any(map(str.strip, row))), _SAMPLE_ROWS))
    if len(rows) > 2 and len(rows[0]) > 1 and {len(row) for row in rows[1:]} == {len(rows[0]) + 1}:
        del rows[0]  # R has no name for row names
    if not rows:
        return Fit(1, 1.0, 0.0)
    widths = Counter(map(len, rows))
    width, count = max(widths.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
    if width == 1:
        count = widths[1]
    cells = [cell for row in rows if len(row) == width for cell in row]
    typed = sum(kind != Kind.TEXT for kind in map(_kind_of_text, cells))
    return Fit(width, count / len(rows), typed / len(cells))
