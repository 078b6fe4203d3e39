"""The request of `mail_merge`: rows, what they are put into, and what becomes of it."""

import os
from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, Self

import pybase64
from pydantic import AfterValidator, Field, GetJsonSchemaHandler, PlainValidator, model_validator
from pydantic_core import CoreSchema

from mediakit.core.fields import Language
from mediakit.core.inputs import (
    MEGABYTE,
    FileInput,
    FileRule,
    FileSource,
    file_of,
    file_schema,
    is_missing,
    is_table,
    load_file,
)
from mediakit.core.media import detect
from mediakit.core.messages import quote
from mediakit.core.parameters import as_text
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule
from mediakit.engines.paper import Margins, PageLayout, PaperFormat
from mediakit.engines.tables.python_tables import narwhals_frame, rows_of_table
from mediakit.engines.tables.row_files import source_of
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.data import TemplateData, adapt_data, check_data
from mediakit.engines.templates.html_source import TemplateField, key_of_template
from mediakit.tools.documents.mail_merge.rows import PART

MAX_HTML_BYTES = MEGABYTE

Target = Literal["pdf", "png", "docx"]
SourceKind = Literal["template", "html", "word", "form"]

PAGE_OPTIONS = ("format", "landscape", "margin")
IMAGE_OPTIONS = ("width", "height")

MAX_ROWS = 100
MAX_PATTERN = 100
"""Characters of a pattern of file names."""

_ZIP = b"PK\x03\x04"

_FILES = (bytes, bytearray, memoryview, os.PathLike, FileSource)
"""What is an image in a cell of a Python table."""


def _check_html_bytes(value: str) -> str:
    if len(value.encode("utf-8", "replace")) > MAX_HTML_BYTES:
        raise ValueError("must have at most 1 MB.")
    return value


class _RowsSchema:
    """JSON Schema of the field in a JSON body."""

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        rows = {"type": "array", "items": {"type": "object"}, "minItems": 1, "maxItems": MAX_ROWS}
        return {
            "anyOf": [rows, file_schema()],
            "examples": [[{"recipient": "Ada Lovelace", "course": "Notes on the Engine"}]],
            "x-kind": "file",
        }


RowsField = Annotated[
    Any, PlainValidator(lambda value: value if isinstance(value, list) else load_file(value)), _RowsSchema()
]
"""Rows as objects, or the content of a table file."""


def check_rows(rows: Any) -> None:
    """Check rows that are objects.

    Raises:
        ValueError: There are none, too many, or one is not an object of plain values.
    """
    if not rows:
        raise ValueError("rows: must have at least one row.")
    if len(rows) > MAX_ROWS:
        raise ValueError(f"rows: at most {MAX_ROWS}, got {len(rows)}; send them in parts or use mediakit.batch.")
    for index, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise ValueError(f"rows[{index}]: must be an object, got {quote(row)}.")  # noqa: TRY004  # pydantic turns ValueError into a message
        try:
            check_data(row)
        except ValueError as error:
            raise ValueError(f"rows[{index}]: {error}") from None


def adapt_rows(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a Python call with its table as rows that JSON can hold.

    Dates become text without a time of midnight, missing values null, and images in cells data: URIs or, for a Word
    template, the objects that it takes.
    """
    arguments = dict(values)
    rows = arguments["rows"] = source_of(arguments.get("rows"))
    if is_table(rows) and not isinstance(rows, FileSource):
        rows = _records(rows)
    elif isinstance(rows, Mapping) and not isinstance(rows.get("file"), str | bytes):  # not the content of a file
        rows = (rows_of_table(rows) or (rows, {}))[0]
    cell = _object_or_text if arguments.get("file") is not None else _plain
    if isinstance(rows, list | tuple):
        arguments["rows"] = [
            {str(name): cell(value) for name, value in row.items()} if isinstance(row, Mapping) else row for row in rows
        ]
    if isinstance(arguments.get("data"), Mapping):
        arguments["data"] = {str(name): cell(value) for name, value in arguments["data"].items()}
    return arguments


def _records(table: Any) -> list[dict[str, Any]]:
    import narwhals as nw

    index = getattr(table, "index", None)
    if any(name is not None for name in getattr(index, "names", ())):
        table = table.reset_index(allow_duplicates=True)
    native = narwhals_frame(table, "rows")
    native = native.collect() if isinstance(native, nw.LazyFrame) else native
    frame = native.to_frame() if isinstance(native, nw.Series) else native
    return [{str(name): value for name, value in row.items()} for row in frame.iter_rows(named=True)]


def _plain(value: Any) -> Any:
    if isinstance(value, _FILES):
        content = load_file(value)
        media = detect(content) or "application/octet-stream"
        return f"data:{media};base64,{pybase64.b64encode(content).decode()}"
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if is_missing(value):
        return None
    return value if isinstance(value, str | bool | int | float) else as_text(value)


def _object_or_text(value: Any) -> Any:
    if isinstance(value, (*_FILES, Mapping, list, tuple)):
        return adapt_data({"data": {"value": value}})["data"]["value"]
    return _plain(value)


def check_pattern(pattern: str) -> str:
    """Return a pattern.

    Raises:
        ValueError: It has an empty or an open brace.
    """
    rest = PART.sub("", pattern)
    if "{" in rest or "}" in rest or "{}" in pattern:
        raise ValueError(f'must be text with columns such as "{{n:03}} {{name}}", got {quote(pattern)}.')
    return pattern


@request
class MailMergeRequest:
    """Rows, what they are put into, and what becomes of it."""

    rows: Annotated[RowsField, Synonyms("table, recipients, csv, records, frame")]
    """1 to 100 rows: an array of objects whose keys are the columns, or a table file such as CSV or XLSX. In Python
    also a data frame or a dict of lists."""
    _: KW_ONLY
    template: TemplateField | None = None
    """Name of a template whose keys are columns. `GET /templates` lists their keys and limits."""
    html: (
        Annotated[
            TextInput,
            TextRule("html"),
            Field(min_length=1, max_length=MAX_HTML_BYTES),
            AfterValidator(_check_html_bytes),
        ]
        | None
    ) = None
    """Own HTML of at most 1 MB. `{{ column }}` inserts a value, escaped; `{{ column | qr }}` and
    `{{ column | barcode }}` draw it as a code. Conditions and loops are those of templates. Scripts do not run."""
    file: Annotated[FileInput, FileRule(takes=("document", "pdf"))] | None = None
    """A Word template (DOCX with placeholders such as `{{ column }}`), or a PDF form whose fields are columns."""
    data: Annotated[TemplateData | None, Synonyms("values, common")] = None
    """Values that are the same in every row. Those of a row take precedence."""
    to: Annotated[
        Target | None,
        Field(json_schema_extra={"default": "pdf"}),
        Synonyms("output, output_format, target, type", {"docx": "word"}),
    ] = None
    """Format of the documents: pdf, png of a template or HTML, docx of a Word template, whose only format it is."""
    filename: Annotated[
        str,
        Field(min_length=1, max_length=MAX_PATTERN),
        AfterValidator(check_pattern),
        Synonyms("name, names, file_name"),
    ] = "{n}"
    """Pattern of the file names, with `{column}`, the number of the row `{n}`, and `{n:03}` for 001. A repeated name
    gets a number."""
    merge: bool = False
    """Return one PDF with a bookmark for each row, instead of a ZIP file."""
    lang: Language = "en"
    """Language of the template's labels and example texts."""
    style: Annotated[str | None, Field(min_length=1, max_length=60)] = None
    """Design of the template, one of the styles that `GET /templates` lists."""
    format: Annotated[PaperFormat | None, Field(json_schema_extra={"default": "A4"})] = None
    """Paper size of pdf. The default of a template is its own."""
    landscape: Annotated[bool | None, Field(json_schema_extra={"default": False})] = None
    """Landscape orientation of pdf. The default of a template is its own."""
    margin: Annotated[int, Field(ge=0, le=100)] = 0
    """Margin of pdf on all four sides, in millimeters."""
    width: Annotated[int | None, Field(ge=100, le=3840)] = None
    """Width of png in pixels. Default: 1200, and of a template its own."""
    height: Annotated[int | None, Field(ge=100, le=2160)] = None
    """Height of png in pixels. Default: 630, and of a template its own."""
    on_error: Literal["report", "stop"] = "report"
    """What to do about a row that fails: leave it out and report why, or stop with an error."""

    @classmethod
    def member_of(cls, name: str, values: Mapping[str, Any]) -> tuple[str, str] | None:
        """Return the field that takes a key of the template, and what the name is; None for other names."""
        return key_of_template(name, values)

    @property
    def source(self) -> SourceKind:
        """What the rows are put into."""
        if self.template is not None:
            return "template"
        if self.html is not None:
            return "html"
        return "word" if bytes(file_of(self.file or b"-")).startswith(_ZIP) else "form"

    @property
    def field(self) -> str:
        """The field with what the rows are put into, for errors."""
        return "file" if self.file is not None else "html"

    @property
    def target(self) -> Target:
        """Format of the documents."""
        return self.to or ("docx" if self.source == "word" else "pdf")

    @property
    def selected_template(self) -> Template | None:
        """The template that `template` names, or None."""
        return TEMPLATES[self.template] if self.template else None

    @property
    def layout(self) -> PageLayout:
        """Size, orientation and margins of the pages."""
        margins = Margins(*[self.margin] * 4)
        template = self.selected_template
        if self.format is None and template:
            landscape = template.landscape if self.landscape is None else self.landscape
            return PageLayout(template.pdf_format, landscape, margins)
        return PageLayout(self.format or "A4", bool(self.landscape), margins)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if isinstance(self.rows, list):
            check_rows(self.rows)
        given = [name for name in ("template", "html", "file") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"{'html' if len(given) < 2 else given[-1]}: exactly one of template, html and file is required."
            )
        self._check_target()
        self._check_options()
        self.layout.check_margins()
        if self.style is not None and (problem := TEMPLATES[self.template or ""].style_problem(self.style)):
            raise ValueError(f"style: {problem}")
        return self

    def _check_target(self) -> None:
        allowed: dict[SourceKind, tuple[Target, ...]] = {"word": ("docx",), "form": ("pdf",)}
        names = {"word": "a Word template", "form": "a PDF form"}
        targets = allowed.get(self.source, ("pdf", "png"))
        if self.target not in targets:
            rule = f"{targets[0]} for {names[self.source]}" if len(targets) == 1 else "pdf or png for template and html"
            raise ValueError(f"to: must be {rule}, got {self.target}.")
        if self.merge and self.target != "pdf":
            raise ValueError(f"merge: requires to pdf, got {self.target}.")

    def _check_options(self) -> None:
        for name in ("style", *PAGE_OPTIONS, *IMAGE_OPTIONS):
            if getattr(self, name) in (None, 0):
                continue
            if name == "style" and self.template is None:
                raise ValueError("style: requires template.")
            if self.file is not None:
                raise ValueError(f"{name}: requires template or html, not file.")
            if (name in PAGE_OPTIONS) != (self.target == "pdf") and name != "style":
                raise ValueError(f"{name}: requires to {'pdf' if name in PAGE_OPTIONS else 'png'}, got {self.target}.")


@request
class MergedCall(MailMergeRequest):
    """Arguments of calls that return one PDF, for type checkers."""

    rows: Any
    _: KW_ONLY
    merge: Literal[True]


@request
class FilesCall(MailMergeRequest):
    """Arguments of calls that return several files, for type checkers."""

    rows: Any
    _: KW_ONLY
    merge: Literal[False] = False
