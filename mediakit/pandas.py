"""`import mediakit.pandas` adds `.mediakit` to every DataFrame and Series: charts, profiles, queries, validation."""

from collections.abc import Callable
from typing import Any

import pandas as pd

import mediakit
from mediakit.errors import InvalidInput
from mediakit.tools.catalogue import SUMMARIES
from mediakit.tools.images.chart.request import ChartType


def _method(tool: str) -> Callable[..., Any]:
    """Return a method that calls a tool with the table of an accessor."""

    def call(self: "Accessor", *args: Any, **options: Any) -> Any:
        return getattr(mediakit, tool)(self._table, *args, **options)

    call.__doc__ = f"{SUMMARIES[tool]}\n\nThe arguments are those of `mediakit.{tool}` after its first one."
    return call


def _column_method(tool: str) -> Callable[..., Any]:
    """Return a method that calls a validator with a column of a DataFrame."""

    def call(self: "FrameAccessor", column: Any, **options: Any) -> Any:
        return getattr(mediakit, tool)(self._column(column), **options)

    call.__doc__ = f"""{SUMMARIES[tool]} `.to_frame()` has the index of the table.

    Args:
        column: Name of the column; it has at most 1000 values.
        options: The options of `mediakit.{tool}`.
    """
    return call


class Accessor:
    """What the accessors of DataFrames and Series share."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def chart(self, type: ChartType = "bar", **options: Any) -> Any:  # noqa: A002  # the field has this name
        """Return a chart of the numeric columns, with the index or a text column as labels.

        Args:
            type: `bar`, `line`, `pie`, `doughnut`, `radar`, `timeline`, `scatter`, `area` or `combo`.
            options: The other fields of `mediakit.chart`, such as `title` and `stacked`.
        """
        return mediakit.chart(type, self._table, **options)

    table_image = _method("table_image")


@pd.api.extensions.register_dataframe_accessor("mediakit")
class FrameAccessor(Accessor):
    """The `.mediakit` accessor of DataFrames. Validators take the name of a column."""

    profile = _method("data_profile")
    convert = _method("data_convert")
    query = _method("data_query")
    diff = _method("data_diff")
    validate_email = _column_method("validate_email")
    validate_iban = _column_method("validate_iban")
    validate_phone = _column_method("validate_phone")
    validate_tax_id = _column_method("validate_tax_id")
    validate_code = _column_method("validate_code")

    def _column(self, name: Any) -> Any:
        """Return a column.

        Raises:
            InvalidInput: There is no such column, or there are several.
        """
        names = list(self._table.columns)
        if names.count(name) == 1:
            return self._table[name]
        from mediakit.engines.tables.model import missing

        if name in names:
            raise InvalidInput(f'column: there are {names.count(name)} columns "{name}"; rename them.')
        raise InvalidInput(f"column: {missing(str(name), [str(one) for one in names])}")


@pd.api.extensions.register_series_accessor("mediakit")
class SeriesAccessor(Accessor):
    """The `.mediakit` accessor of Series."""

    def profile(self, **options: Any) -> Any:
        """Return the statistics of the values; a Series without a name is the column `value`."""
        name = "value" if self._table.name is None else self._table.name
        return mediakit.data_profile(self._table.to_frame(name), **options)

    validate_email = _method("validate_email")
    validate_iban = _method("validate_iban")
    validate_phone = _method("validate_phone")
    validate_tax_id = _method("validate_tax_id")
    validate_code = _method("validate_code")
