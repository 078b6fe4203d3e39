"""Columns of typed values, as JSON, workbooks and data frames hold them."""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from mediakit.engines.tables.columns import moments
from mediakit.engines.tables.columns.cells import NULL_WORDS, Cells, duration_text, iso_of, text_of
from mediakit.engines.tables.columns.texts import check_names, declared_column
from mediakit.engines.tables.model import DURATION, Column, ColumnType, Facts, ReadOptions

_TYPES: tuple[tuple[frozenset[type], ColumnType], ...] = (
    (frozenset({bool}), "boolean"),
    (frozenset({int}), "integer"),
    (frozenset({int, float, Decimal}), "number"),
    (frozenset({dt.date}), "date"),
    (frozenset({dt.date, dt.datetime}), "datetime"),
    (frozenset({dt.time}), "time"),
)
"""The types of columns by those of their values, the narrowest first."""

_DAY = dt.timedelta(days=1)


def typed_values(
    names: Sequence[str], columns: Sequence[list[Any]], options: ReadOptions, facts: Facts, *, has_dates: bool
) -> list[Column]:
    """Return columns of values with their types; a column of values of several types is text.

    Of the options, `types` and `nulls` apply. A source that has dates of its own never has a text that is one.
    """
    chosen = options.types if isinstance(options.types, Mapping) else {}
    if not options.allows_missing_types:
        check_names(chosen, names)
    found = []
    for name, values in zip(names, columns, strict=True):
        present = values
        if float in set(map(type, values)) and any(map(_is_not_finite, values)):
            facts.warn(f'Column "{name}": NaN and infinity are null.')
            present = [None if _is_not_finite(value) else value for value in values]
        if options.nulls:
            nulls = set(options.nulls)
            present = [None if isinstance(value, str) and value in nulls else value for value in present]
        wanted: ColumnType | None = "text" if options.types == "text" else chosen.get(name)
        if wanted is None:
            column = _typed(name, present, has_dates)
        elif wanted == "text":
            column = Column(name, "text", [None if value is None else text_of(value) for value in present])
        else:
            texts = ["" if value is None else text_of(value) for value in present]
            column = declared_column(name, texts, wanted, options, facts)
        found.append(replace(column, cells=values) if options.keep_cells else column)
    return found


def _is_not_finite(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _typed(name: str, values: list[Any], has_dates: bool) -> Column:  # noqa: FBT001  # passed on
    kinds = frozenset(map(type, values)) - {type(None)}
    words = {value.strip() for value in values if isinstance(value, str)} if str in kinds and len(kinds) > 1 else None
    if words and words <= {"", *NULL_WORDS}:  # the rest of the column has a type
        values = [None if isinstance(value, str) else value for value in values]
        kinds -= {str}
    if kinds & {list, dict}:
        return Column(name, "json", values)
    kind = next((kind for wanted, kind in _TYPES if kinds and kinds <= wanted), None)
    if kinds == {dt.timedelta} and all(value is None or dt.timedelta(0) <= value < _DAY for value in values):
        kind = "time"
    elif dt.timedelta in kinds and kinds <= {dt.timedelta, dt.time}:
        return Column(name, "text", [_duration(value) for value in values], unit=DURATION)
    if kind is None:
        texts = values if kinds <= {str} else [None if value is None else text_of(value) for value in values]
        if not has_dates and kinds == {str}:
            found = _iso_moments(texts)
            if found is not None:
                return Column(name, found.type, [None if text is None else found.values[text] for text in texts])
        return Column(name, "text", texts)
    if kind in ("date", "datetime", "time"):
        values = [None if value is None else iso_of(value, kind) for value in values]
    return Column(name, kind, values)


def _duration(value: dt.timedelta | dt.time | None) -> str | None:
    if isinstance(value, dt.time):
        value = dt.timedelta(0, value.second, value.microsecond, 0, value.minute, value.hour)
    return None if value is None else duration_text(value)


def _iso_moments(texts: list[Any]) -> moments.Moments | None:
    """Return the dates of texts that are all in ISO 8601, which is how JSON writes them."""
    first = next(text for text in texts if text is not None)
    if not ("-" in first[:5] and first[:4].isdigit()):
        return None
    cells = Cells.of(text for text in texts if text is not None)
    found = None if cells.nulls else moments.parse(cells)
    return found if isinstance(found, moments.Moments) and found.order == "ymd" else None
