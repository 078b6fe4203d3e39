"""Columns whose type the caller declares: every cell must be of it, however it is written."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mediakit.engines.tables.columns import booleans, moments, numbers
from mediakit.engines.tables.columns.cells import Cells
from mediakit.engines.tables.model import Column, ColumnType, Facts
from mediakit.engines.tables.naming import missing
from mediakit.engines.tables.options import ReadOptions
from mediakit.errors import InvalidInput

_PADDED = re.compile(r"([-+]?)0*(\d+)")


def check_names(types: Iterable[str], names: Sequence[str]) -> None:
    """Refuse a declaration of a column that the table does not have.

    Raises:
        InvalidInput: There is no such column.
    """
    for name in types:
        if name not in names:
            raise InvalidInput(f"types: {missing(name, names)}")


def column(name: str, values: list[str], kind: ColumnType, options: ReadOptions, facts: Facts) -> Column:
    """Return a column of texts as the declared type.

    Raises:
        InvalidInput: A cell is not of that type.
    """
    cells = Cells.of(values) if options.nulls is None else Cells.of(values, frozenset(options.nulls))
    parsed = _PARSERS[kind](cells, options, facts)
    if len(parsed) < len(cells.trimmed):
        wrong = next(cell for cell in cells.trimmed if cell not in parsed)
        row = values.index(wrong) + 1
        raise InvalidInput(f'types.{name[:80]}: row {row} is not {_article(kind)} {kind}, got "{wrong.strip()[:40]}".')
    known = {**parsed, **dict.fromkeys(cells.nulls)}
    return Column(name, kind, [known[value] for value in values])


def _article(kind: str) -> str:
    return "an" if kind == "integer" else "a"


def _numbers(cells: Cells, options: ReadOptions, facts: Facts) -> dict[str, Any]:
    mark = _mark(cells, options, facts)
    found: dict[str, Any] = {}
    for cell, text in cells.trimmed.items():
        padded = _PADDED.fullmatch(text)
        one = Cells({cell: text}, frozenset())
        if padded:
            found[cell] = int(padded[1] + padded[2])
        elif numbers.readings(one, mark):
            found[cell] = numbers.parse(one, mark)[cell]
    return {cell: value for cell, value in found.items() if value is not None}


def _mark(cells: Cells, options: ReadOptions, facts: Facts) -> numbers.Mark:
    if options.decimal != "auto":
        return options.decimal
    fitting = numbers.readings(cells)
    if len(fitting) == 1:
        return fitting[0]
    return "," if facts.decimal == "," or (facts.delimiter in (";", "\t") and facts.decimal is None) else "."


def _integers(cells: Cells, options: ReadOptions, facts: Facts) -> dict[str, Any]:
    return {cell: value for cell, value in _numbers(cells, options, facts).items() if isinstance(value, int)}


def _booleans(cells: Cells, _options: ReadOptions, _facts: Facts) -> dict[str, Any]:
    read = {cell: booleans.parse_any(text) for cell, text in cells.trimmed.items()}
    return {cell: value for cell, value in read.items() if value is not None}


def _moments_of(kind: moments.MomentType) -> Callable[[Cells, ReadOptions, Facts], dict[str, Any]]:
    def parse(cells: Cells, options: ReadOptions, facts: Facts) -> dict[str, Any]:
        order = options.dates if options.dates != "auto" else facts.date_order or "auto"
        found = moments.parse(cells, order)
        if isinstance(found, moments.Moments) and found.type == kind:
            return found.values
        return _one_by_one(cells, order, kind)

    return parse


def _one_by_one(cells: Cells, order: str, kind: moments.MomentType) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for cell, text in cells.trimmed.items():
        found = moments.parse(Cells({cell: text}, frozenset()), order)
        if isinstance(found, moments.Moments) and found.type == kind:
            values |= found.values
        elif isinstance(found, moments.Moments) and (found.type, kind) == ("date", "datetime"):
            values[cell] = f"{found.values[cell]}T00:00:00"
    return values


def _as_texts(cells: Cells, _options: ReadOptions, _facts: Facts) -> dict[str, Any]:
    return dict.fromkeys(cells.trimmed) | {cell: cell for cell in cells.trimmed}


_PARSERS: Mapping[ColumnType, Callable[[Cells, ReadOptions, Facts], dict[str, Any]]] = {
    "integer": _integers,
    "number": _numbers,
    "boolean": _booleans,
    "date": _moments_of("date"),
    "datetime": _moments_of("datetime"),
    "time": _moments_of("time"),
    "json": _as_texts,
    "text": _as_texts,
}
