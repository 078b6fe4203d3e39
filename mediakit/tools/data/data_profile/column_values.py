"""A column as the profile looks at it: its distinct values, which row has which of them, and the words of its name."""

import json
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.model import Column, ColumnType
from mediakit.engines.tables.packed.column import PackedColumn

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|%")

WORDS: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8")).items()
}
"""Words in names of columns, and codes, by what they stand for."""

IDENTIFIERS, POSTCODES, PHONES, CODES = (WORDS[name] for name in ("identifiers", "postcodes", "phones", "codes"))
PADDED_CODES = POSTCODES | WORDS["padded_codes"]
TOTALS = re.compile(
    r"\W*(?:grand[ -]?|sub[ -]?)?"
    r"(?:totals?|total(?:e|es)?|totaal|sum(?:me)?|suma|somme|gesamt(?:summe)?|insgesamt|all|Σ)"
    r"(?:[ -]general)?\W*",
    re.IGNORECASE,
)
"""The label of a row of totals."""


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case without accents: `customerId` and `customer_id` have the same."""
    return [word.lower() for word in _WORD.findall(unaccented(name[:200]))]


def unaccented(text: str) -> str:
    """Return a text without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def names_identifier(words: frozenset[str]) -> bool:
    """Return whether a name is one of identifiers."""
    if not words:
        return False
    if words & IDENTIFIERS:
        return True
    return words <= WORDS["numbered_alone"] or bool(words & WORDS["numbered"] and words & WORDS["number_words"])


Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

_SPACES = " \t\r\n\v\f\N{NO-BREAK SPACE}"

MAX_LISTED_ROWS = 5
"""Rows that a problem names."""


@dataclass
class Observed:
    """A column, and what was found out about its values."""

    name: str
    type: ColumnType
    values: list[Any]
    cells: list[Any]
    """The cells as the source has them; the values themselves where nothing else is known."""
    row_numbers: npt.NDArray[np.int64]
    """Number of each row in the source, from 1."""
    is_declared: bool = False
    """Whether the caller chose the type of the column."""
    semantic: str | None = None
    unit: str | None = None
    """What the cells have beside their number, such as % or EUR."""

    @classmethod
    def of(cls, column: Column, row_numbers: npt.NDArray[np.int64], *, is_declared: bool = False) -> "Observed":
        """Observe the rows of a column; the column itself is emptied, to free memory early."""
        if len(row_numbers) < column.row_count:
            column = _sampled(column, row_numbers - 1)
        values = list(map(_hashable, column.values)) if column.type == "json" else column.values
        cells = values if column.type == "json" else _cells(column)
        return cls(column.name, column.type, values, cells, row_numbers, is_declared, unit=column.unit)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the column's name."""
        return frozenset(words_of(self.name))

    @cached_property
    def _factorized(self) -> tuple[list[Any], npt.NDArray[np.int32]]:
        place_of: dict[Any, int] = dict.fromkeys(self.values, -1)
        place_of.pop(None, None)
        distinct = list(place_of)
        if len(distinct) == len(self.values):
            return distinct, np.arange(len(distinct), dtype=np.int32)
        place_of = dict(zip(distinct, range(len(distinct)), strict=True))
        place_of[None] = -1
        return distinct, np.fromiter(map(place_of.__getitem__, self.values), np.int32, len(self.values))

    @property
    def distinct(self) -> list[Any]:
        """The distinct values that are not null, in the order of their first rows."""
        return self._factorized[0]

    @property
    def codes(self) -> npt.NDArray[np.int32]:
        """The place of each row's value in `distinct`; -1 for null."""
        return self._factorized[1]

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """The number of rows with each distinct value."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.distinct)).astype(np.int64)

    @cached_property
    def is_padded(self) -> bool:
        """Whether a cell may have white space around its text."""
        if self.cells is self.values and not self.is_text:
            return False
        cells = self.distinct if self.cells is self.values else self.cells
        try:
            joined = "\n".join(["", *filter(None, cells), ""])
        except TypeError:  # cells of a source with types of its own
            joined = "\n".join(["", *(cell for cell in cells if cell and isinstance(cell, str)), ""])
        return has_at_edges(joined, _SPACES)

    @cached_property
    def count(self) -> int:
        """The number of values that are not null."""
        return int(np.count_nonzero(self.codes >= 0))

    @property
    def is_unique(self) -> bool:
        """Whether no value repeats; a column without values has none that could."""
        return 0 < self.count == len(self.distinct)

    @property
    def is_text(self) -> bool:
        """Whether the values are text."""
        return self.type in ("text", "json")

    @property
    def is_number(self) -> bool:
        """Whether the values are integers or numbers."""
        return self.type in ("integer", "number")

    def places_of(self, wanted: Sequence[bool] | Mask) -> Places:
        """Return the places of the rows whose value is wanted, as each of the distinct values is or is not."""
        if not len(wanted):
            return np.empty(0, np.intp)
        mask = np.asarray(wanted, np.bool_)
        return np.flatnonzero(mask[self.codes] & (self.codes >= 0))

    def rows_at(self, places: Places | Sequence[int]) -> list[int]:
        """Return the numbers of the first rows at these places."""
        return [int(self.row_numbers[place]) for place in places[:MAX_LISTED_ROWS]]

    def total(self, wanted: Sequence[bool] | Mask) -> int:
        """Return the number of rows whose value is wanted."""
        return int(self.counts[np.asarray(wanted, np.bool_)].sum()) if len(wanted) else 0


def has_at_edges(joined: str, characters: str) -> bool:
    """Return whether one of the characters stands beside a line feed; texts rarely have most of them at all."""
    return any(one in joined and (f"\n{one}" in joined or f"{one}\n" in joined) for one in characters)


def _sampled(column: Column, places: npt.NDArray[np.int64]) -> Column:
    """Return a column of the rows at these places."""
    if isinstance(column, PackedColumn):
        return column.part(places)
    wanted = places.tolist()
    values = [column.values[place] for place in wanted]
    is_same = column.cells is None or column.cells is column.values
    cells = values if is_same else [column.cells[place] for place in wanted]  # type: ignore[index]
    return Column(column.name, column.type, values, cells, column.unit)


def _cells(column: Column) -> list[Any]:
    """Return the cells of a column; for those of canonical form, whose values say the same, the values."""
    if not isinstance(column, PackedColumn) or column.type == "text":
        cells = column.values if column.cells is None else column.cells
        return list(map(_hashable, cells)) if {list, dict} & set(map(type, cells)) else cells
    if column.arrays.is_null is None:
        return column.values
    cells = column.values.copy()
    places = np.flatnonzero(column.arrays.is_null)
    for place, text in zip(places.tolist(), column.packed.part(places).texts(), strict=True):
        cells[place] = text
    return cells


def _hashable(value: Any) -> Any:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value
