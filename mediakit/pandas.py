"""`import mediakit.pandas` adds methods such as `.mediakit.chart(...)` to every DataFrame and Series."""

from typing import Any

import pandas as pd

from mediakit.results.file import FileResult
from mediakit.results.image import ImageResult
from mediakit.results.pdf import PdfResult
from mediakit.tools.images.chart import chart
from mediakit.tools.images.chart.request import ChartType
from mediakit.tools.images.chart.result import ChartResult
from mediakit.tools.images.table_image import table_image


@pd.api.extensions.register_dataframe_accessor("mediakit")
@pd.api.extensions.register_series_accessor("mediakit")
class Accessor:
    """The `.mediakit` accessor of DataFrames and Series."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def chart(self, type: ChartType = "bar", **options: Any) -> ChartResult:  # noqa: A002  # the field has this name
        """Return a chart of the numeric columns, with the index or a text column as labels.

        Args:
            type: `bar`, `line`, `pie`, `doughnut`, `radar`, `timeline`, `scatter`, `area` or `combo`.
            options: The other fields of `mediakit.chart`, such as `title` and `stacked`.

        Raises:
            InvalidInput: The table has no numeric column, or a value is invalid.
        """
        return chart(type, self._table, **options)

    def table_image(self, **options: Any) -> ImageResult | PdfResult | FileResult:
        """Return the table as an image, a PDF or an HTML page.

        Args:
            options: The fields of `mediakit.table_image`, such as `title`, `columns` and `format`.

        Raises:
            InvalidInput: The table has too many rows or columns, or a value is invalid.
        """
        made: ImageResult | PdfResult | FileResult = table_image(self._table, **options)
        return made
