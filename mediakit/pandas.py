"""`import mediakit.pandas` adds `.mediakit` to every DataFrame and Series: charts, profiles, queries, validation."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pandas as pd

import mediakit
from mediakit.core.introspection import PublicNames
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.request import ChartType

if TYPE_CHECKING:
    from mediakit.results.files import FileResult, ImageResult, PdfResult
    from mediakit.tools.data.data_convert import TableResult
    from mediakit.tools.data.data_diff.tool import DiffResult
    from mediakit.tools.data.data_profile.tool import ProfileResult
    from mediakit.tools.data.data_query import QueryResult
    from mediakit.tools.images.chart.tool import ChartResult
    from mediakit.tools.validation.validate_code.tool import CodeValidation
    from mediakit.tools.validation.validate_email.tool import EmailValidation
    from mediakit.tools.validation.validate_iban import IbanValidation
    from mediakit.tools.validation.validate_phone.tool import PhoneValidation
    from mediakit.tools.validation.validate_tax_id.tool import TaxIdValidation


class Accessor(PublicNames):
    """What the accessors of DataFrames and Series share. The options are those of the tools."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def chart(self, type: ChartType = "bar", **options: Any) -> "ChartResult":  # noqa: A002  # the field has this name
        """Return a chart of the numeric columns, with the index or a text column as labels.

        Args:
            type: `bar`, `line`, `pie`, `doughnut`, `radar`, `timeline`, `scatter`, `area` or `combo`.
            options: The other fields of `mediakit.chart`, such as `title` and `stacked`.

        Raises:
            InvalidInput: The table has no numeric column, or a value is invalid.
        """
        return mediakit.chart(type, self._table, **options)

    def profile(self, **options: Any) -> "ProfileResult":
        """Return the types, statistics and problems of the columns.

        Args:
            options: The fields of `mediakit.data_profile`, such as `schema` and `max_rows`.

        Raises:
            InvalidInput: An option is invalid.
        """
        return mediakit.data_profile(self._frame, **options)

    def table_image(self, **options: Any) -> "ImageResult | PdfResult | FileResult":
        """Return the table as an image, a PDF or a page.

        Args:
            options: The other fields of `mediakit.table_image`, such as `title`, `format` and `theme`.

        Raises:
            InvalidInput: The table is too large, or an option is invalid.
        """
        image: ImageResult | PdfResult | FileResult = mediakit.table_image(self._table, **options)
        return image

    @property
    def _frame(self) -> Any:
        """The table as a DataFrame; a Series without a name is the column `value`."""
        if isinstance(self._table, pd.Series):
            return self._table.to_frame("value" if self._table.name is None else self._table.name)
        return self._table


def _column_check(name: str, what: str) -> Callable[..., Any]:
    """Return the method of a DataFrame that calls a validator with a column."""

    def validate(self: "FrameAccessor", column: Any, **options: Any) -> Any:
        return getattr(mediakit, name)(self._column(column), **options)

    validate.__name__ = name
    validate.__doc__ = f"""Return the checks of the {what} of a column; `.to_frame()` has the index of the table.

    Raises:
        InvalidInput: There is no such column, or it has more than 1000 values.
    """
    return validate


def _values_check(name: str, what: str) -> Callable[..., Any]:
    """Return the method of a Series that calls a validator with its values."""

    def validate(self: "SeriesAccessor", **options: Any) -> Any:
        return getattr(mediakit, name)(self._table, **options)

    validate.__name__ = name
    validate.__doc__ = f"""Return the checks of {what}; `.to_frame()` has the index of the Series.

    Raises:
        InvalidInput: There are more than 1000 values.
    """
    return validate


@pd.api.extensions.register_dataframe_accessor("mediakit")
class FrameAccessor(Accessor):
    """The `.mediakit` accessor of DataFrames. Validators take the name of a column."""

    validate_email: "Callable[..., EmailValidation]" = _column_check("validate_email", "e-mail addresses")
    validate_iban: "Callable[..., IbanValidation]" = _column_check("validate_iban", "account numbers")
    validate_phone: "Callable[..., PhoneValidation]" = _column_check("validate_phone", "phone numbers")
    validate_tax_id: "Callable[..., TaxIdValidation]" = _column_check("validate_tax_id", "tax numbers")
    validate_code: "Callable[..., CodeValidation]" = _column_check("validate_code", "codes, such as EAN and ISBN,")

    def convert(self, to: Any = "json", **options: Any) -> "TableResult":
        """Return the table in another format.

        Args:
            to: `json`, `jsonl`, `csv`, `tsv`, `xlsx`, `parquet`, `yaml`, `toml`, `markdown`, `html` or `sql`.
            options: The other fields of `mediakit.data_convert`, such as `columns`.

        Raises:
            InvalidInput: The format cannot hold the table, or an option is invalid.
        """
        return mediakit.data_convert(self._table, to, **options)

    def query(self, sql: str, **options: Any) -> "QueryResult":
        """Return the result of a query with SQL, in which the table is named `data`.

        Args:
            sql: One SELECT.
            options: The other fields of `mediakit.data_query`, such as `parameters` and `limit`.

        Raises:
            InvalidInput: The query fails or does more than read.
        """
        return mediakit.data_query(self._table, sql, **options)

    def diff(self, other: Any, **options: Any) -> "DiffResult":
        """Return the changes from this table to another one.

        Args:
            other: The later table: a DataFrame, a file, or what else `mediakit.data_diff` takes.
            options: The other fields of `mediakit.data_diff`, such as `key` and `tolerance`.

        Raises:
            InvalidInput: A table cannot be read, or an option is invalid.
        """
        return mediakit.data_diff(self._table, other, **options)

    def _column(self, name: Any) -> Any:
        """Return a column."""
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

    validate_email: "Callable[..., EmailValidation]" = _values_check("validate_email", "e-mail addresses")
    validate_iban: "Callable[..., IbanValidation]" = _values_check("validate_iban", "account numbers")
    validate_phone: "Callable[..., PhoneValidation]" = _values_check("validate_phone", "phone numbers")
    validate_tax_id: "Callable[..., TaxIdValidation]" = _values_check("validate_tax_id", "tax numbers")
    validate_code: "Callable[..., CodeValidation]" = _values_check("validate_code", "codes, such as EAN and ISBN,")
