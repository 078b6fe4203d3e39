"""The tool `data_convert` and its result."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from mediakit.core.media import extension_of
from mediakit.core.messages import counted, readable_size
from mediakit.core.runtime import runtime
from mediakit.core.tool import Example, tool
from mediakit.display.tables import ShownColumn, table_html
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import COLUMN_TYPES, Column, Table
from mediakit.engines.tables.python_tables import adapt_table, frame
from mediakit.engines.tables.request import INPUT_TYPES, READING_META
from mediakit.engines.tables.writers import MEDIA_TYPES
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.results.files import FileResult
from mediakit.results.result import Bundle
from mediakit.samples import SALES
from mediakit.tools.data.data_convert.conversion import Converted, DataConvertRequest, Preview

if TYPE_CHECKING:
    import pandas as pd

MAX_INLINE_BYTES = 5_000_000
"""Size of a file up to which the JSON response has its content as `data` or `text`, too."""

META_SCHEMA: dict[str, Any] = {
    "rows": {
        "type": ["integer", "null"],
        "description": "Number of rows; null for a value that is not a table.",
        "examples": [2],
    },
    "columns": {
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "type": {"type": "string", "enum": list(COLUMN_TYPES)},
                "unit": {
                    "type": "string",
                    "description": "What its cells have beside their number: %, $, EUR, h:mm:ss.",
                },
            },
        },
        "examples": [[{"name": "city", "type": "text"}, {"name": "orders", "type": "integer"}]],
        "description": "Name, type and unit of each column; null unless the input is read as one table.",
    },
    **READING_META,
}

_NUMBER_TYPES = ("integer", "number")


class TableResult(FileResult):
    """A converted table: a file, and its rows as Python values. Iterate over it, or use `len()`, for the rows."""

    preview: Preview | None = None
    """The first rows, as a notebook shows them; None for a value that is not a table."""

    @property
    def encoding(self) -> str:
        """Charset of a text file."""
        return "utf-8" if self._call is None else str(self._call.request.output_encoding)

    def _text(self, errors: str = "strict") -> str | None:
        if super()._text("replace") is None:
            return None
        codec = "utf-8-sig" if self.encoding.lower() in ("utf-8", "utf8") else self.encoding
        return self.content.decode(codec, errors)

    @property
    def data(self) -> Any:
        """The value of a JSON file.

        Raises:
            InvalidInput: The file is not JSON.
        """
        if self.mime_type != "application/json":
            raise InvalidInput(f"data: {self.filename} is not JSON; use .rows, or .content.")
        return from_json(self.content)

    @property
    def columns(self) -> list[dict[str, str]]:
        """Name and type of each column."""
        known: list[dict[str, str]] | None = self.meta["columns"]
        return self._read[0] if known is None else known

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows by column name. Dates and times are ISO 8601 text.

        Raises:
            InvalidInput: The result is not one table.
        """
        return self._read[1]

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame of pandas, or of Polars if pandas is not installed.

        Raises:
            ImportError: Neither is installed.
            InvalidInput: The result is not one table.
        """
        columns, rows = self._read
        table = Table(
            [Column(one["name"], one["type"], [row[one["name"]] for row in rows]) for one in columns]  # type: ignore[arg-type]
        )
        made: pd.DataFrame = frame(table)
        return made

    @cached_property
    def _read(self) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
        """The columns and rows, read again from the request's source: not every format can be read back."""
        if self._call is None:
            raise InvalidInput("rows: only results of a tool's call have rows.")
        request, work = self._call.request, "mediakit.tools.data.data_convert.conversion:read_rows"
        read = runtime.run(run_guarded(work, request, returns=Converted, field=request.source.field, guard=TABLE))
        return read.meta["columns"] or [], from_json(read.content)

    def _extra(self) -> dict[str, Any]:
        if len(self.content) > MAX_INLINE_BYTES:
            return {}
        if self.mime_type == "application/json":
            return {"data": self.data}
        return {"text": self.text} if self.is_text else {}

    @classmethod
    def _extra_schema(cls) -> dict[str, Any]:
        return {
            "filename": {"type": "string", "examples": ["cities.json"]},
            "data": {
                "description": "The value of json, up to 5 MB.",
                "examples": [[{"city": "Lisbon", "orders": 12}]],
                "x-optional": True,
            },
            "text": {
                "type": "string",
                "description": "The text of the other text formats, up to 5 MB.",
                "examples": ["city,orders\nLisbon,12\n"],
                "x-optional": True,
            },
            "meta": {"type": "object", "properties": META_SCHEMA},
        }

    def _facts(self) -> str:
        rows, columns = self.meta["rows"], self.meta["columns"]
        if rows is None or columns is None:
            return ""
        return f"{counted(rows, 'row')} × {counted(len(columns), 'column')}"

    def __len__(self) -> int:
        count: int | None = self.meta["rows"]
        return len(self.rows) if count is None else count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def _bundle(self) -> Bundle:
        preview = self.preview
        if preview is None and self.meta["columns"] is not None and self._call is not None:  # a server's result
            rows = [[_shown(row[column["name"]]) for column in self.columns] for row in self.rows[:20]]
            preview = Preview(self.columns, rows)
        if preview is None:
            return super()._bundle()
        columns = [ShownColumn(one["name"], one["type"], one["type"] in _NUMBER_TYPES) for one in preview.columns]
        caption = " · ".join((self.filename, self._facts(), readable_size(len(self.content))))
        return {"text/html": table_html(columns, preview.rows, caption, self.meta["rows"])}, {}

    def __repr__(self) -> str:
        facts = ", ".join(filter(None, (self.filename, self._facts(), readable_size(len(self.content)))))
        return f"<{type(self).__name__} {facts}>"


def _shown(value: Any) -> str | None:
    if value is None:
        return None
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


ARCHIVE = "application/zip"
"""Media type of a file per sheet."""


@tool(
    DataConvertRequest,
    tag="Data",
    raw=dict.fromkeys(INPUT_TYPES, "file"),
    produces={**MEDIA_TYPES, "zip": ARCHIVE},
    errors=[NotConvertible],
    adapt=adapt_table,
    examples=[
        Example("A CSV file as JSON", {"file": SALES}),
        Example("The same as an Excel workbook", {"file": SALES, "to": "xlsx"}),
        Example(
            "Chosen columns of the first rows as Markdown",
            {"file": SALES, "to": "markdown", "columns": ["order", "day", "amount"], "max_rows": 3},
        ),
        Example("YAML as JSON", {"text": "name: Ana\nlangs: [es, en]\n", "input_format": "yaml", "indent": 0}),
    ],
)
async def data_convert(request: DataConvertRequest) -> TableResult:
    """Convert a table, or JSON, YAML and TOML of any shape, to another format.

    Charset, delimiter, header and types are detected. A column gets a type only if all of its cells fit it, so
    identifiers such as 007 and phone numbers stay text. `meta` describes how the input was read, and its `warnings`
    name what is ambiguous or could not be kept. Text never becomes a formula in xlsx; for csv set `escape_formulas`.

    Raises:
        InvalidInput: The input cannot be read, or the format cannot hold it.
        NotConvertible: The conversion took longer than 10 seconds.
    """
    source, work = request.source, "mediakit.tools.data.data_convert.conversion:convert"
    converted = await run_guarded(work, request, returns=Converted, field=source.field, guard=TABLE)
    media = ARCHIVE if converted.is_archive else MEDIA_TYPES[request.to]
    result = TableResult(converted.content, media, f"{source.stem}.{extension_of(media)}", converted.meta)
    result.preview = converted.preview
    return result
