"""Runs a check of values in a worker, and the fields of every request that validates values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Annotated, Any, ClassVar, ParamSpec, Self, TypeVar, cast

from pydantic import (
    AfterValidator,
    Field,
    PlainValidator,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)

from mediakit.core.inputs import file_of
from mediakit.core.messages import quote
from mediakit.core.meta_schemas import Schema, texts
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import ReadOptions
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.tables.request import TableFile, name_or_number
from mediakit.engines.validation.result import EMPTY, ValidationResult, Verdict
from mediakit.engines.validation.values import (
    LINE_BREAK,
    MAX_VALUE_CHARACTERS,
    MAX_VALUES,
    ColumnValues,
    ValueText,
    adapt_values,
    cleaned,
    lines_of,
    place_of,
    trimmed,
)
from mediakit.errors import InvalidInput, NotConvertible

MAX_TEXT_CHARACTERS = MAX_VALUES * (MAX_VALUE_CHARACTERS + 2)
"""Characters of the largest text: a value per line."""

MAX_COLUMN_NAME = 1000


def _item(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text.")  # noqa: TRY004  # pydantic turns ValueError into a message
    _check_unicode(value)
    if len(value) > MAX_VALUE_CHARACTERS:
        raise ValueError(f"must have at most {MAX_VALUE_CHARACTERS} characters, got {len(value)}.")
    return value


def _check_unicode(value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("must be valid Unicode text, without lone surrogates.") from None


def _text(value: Any) -> str:
    """Return a text with one value, or with a value per line."""
    if not isinstance(value, str):
        raise ValueError(f"must be text, got {quote(value)}.")  # noqa: TRY004
    _check_unicode(value)
    lines = lines_of(value)
    if len(lines) > MAX_VALUES:
        raise ValueError(f"must have at most {MAX_VALUES} lines, got {len(lines)}.")
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_VALUE_CHARACTERS:
            where = f"line {number} " if len(lines) > 1 else ""
            raise ValueError(f"{where}must have at most {MAX_VALUE_CHARACTERS} characters, got {len(line)}.")
    return value if type(value) in (str, ValueText) else str(value)


def _column(value: Any) -> str:
    name = name_or_number(value, "column", MAX_COLUMN_NAME)
    _check_unicode(name)
    return name


def _two_letters(code: str) -> str:
    if not (len(code) == 2 and code.isascii() and code.isalpha()):
        raise ValueError(f"must be a country code of two letters, such as ES, got {quote(code)}.")
    return code.upper()


def _keep_column(value: Any, validate: Callable[[Any], list[str]]) -> list[str]:
    """Return a list of texts, or the column of Python with what it has beside them."""
    values = validate(value)
    return value if isinstance(value, ColumnValues) else values


ValueField = Annotated[
    Any,
    PlainValidator(_text),
    WithJsonSchema({"type": "string", "maxLength": MAX_TEXT_CHARACTERS}),
    Synonyms("value, number, text, input, string, address, mail, vat, vat_number, tax_id, isbn, ean, gtin"),
]
"""One value, of at most 1000 characters, or one per line. In Python also a column: a Series, a list, an array."""

_Item = Annotated[Any, PlainValidator(_item), WithJsonSchema({"type": "string", "maxLength": MAX_VALUE_CHARACTERS})]
Values = Annotated[list[_Item], Field(min_length=1, max_length=MAX_VALUES, strict=True), WrapValidator(_keep_column)]
"""Values of at most 1000 characters. In Python also a column."""

ColumnName = Annotated[
    str | int,
    PlainValidator(_column),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_COLUMN_NAME}),
]
"""Name or number of a column."""


CountryCode = Annotated[str, AfterValidator(_two_letters), Field(json_schema_extra={"minLength": 2, "maxLength": 2})]
"""ISO 3166-1 alpha-2."""


@request
class ValuesRequest:
    """The values to check. A request that inherits it has one more field, for one value, as its first."""

    value_field: ClassVar[str]
    """The name of the field for one value."""

    _: KW_ONLY
    values: Annotated[Values | None, Synonyms("list, items")] = None
    """Values in place of one: 1 to 1000 texts of at most 1000 characters."""
    file: TableFile | None = None
    """A table in place of values: CSV, JSON, Excel, ODS, Parquet, YAML or Markdown; at most 1000 rows. In Python also a
    data frame."""
    column: Annotated[ColumnName | None, Synonyms("field")] = None
    """Name or number, from 1, of the column of `file` to check; may be omitted if there is only one."""

    @model_validator(mode="after")
    def _check_sources(self) -> Self:
        names = (self.value_field, "values", "file")
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) != 1:
            found = ", ".join(given) or "none"
            raise ValueError(f"{names[0]}: exactly one of {names[0]}, values and file is required, got {found}.")
        if self.column is not None and self.file is None:
            raise ValueError("column: requires file.")
        return self


Check = Callable[[str, Any], Verdict]
"""Returns the verdict on one value, by the options of the tool."""


@dataclass(frozen=True)
class Job:
    """Values, or a table with them, and the check."""

    check: Check
    options: Any
    values: tuple[str, ...] = ()
    source: Source | None = None
    column: str | None = None
    keeps_invisible: bool = False
    """Whether the check gets the invisible characters inside a value, and the line breaks around one of several."""
    is_single: bool = False


def run(job: Job) -> tuple[list[str], list[Verdict]]:
    """Return the values and the verdicts on them.

    Raises:
        InvalidInput: The table cannot be read, or has no such column.
    """
    values = list(job.values) if job.source is None else _named_column(job.source, job.column)
    return values, [_verdict(job, value) for value in values]


def _verdict(job: Job, value: str) -> Verdict:
    text = trimmed(value) if job.keeps_invisible else cleaned(value)
    if not text:
        return EMPTY
    has_break = job.keeps_invisible and not job.is_single and LINE_BREAK.search(value.replace(text, "", 1))
    return job.check(value if has_break else text, job.options)


def _named_column(source: Source, column: str | None) -> list[str]:
    options = ReadOptions(types="text", max_rows=MAX_VALUES + 1)
    document = as_tables(read_source(source, options), options)
    table = document.table
    if not table.columns or not len(table):
        raise InvalidInput("file: the table has no rows.")
    chosen = table.columns[place_of(column, table.names)]
    if len(table) > MAX_VALUES:
        raise InvalidInput(f"file: must have at most {MAX_VALUES} rows.")
    values = ["" if value is None else str(value) for value in chosen.values]
    for row, value in enumerate(values, 1):
        if len(value) > MAX_VALUE_CHARACTERS:
            size = f"must have at most {MAX_VALUE_CHARACTERS} characters, got {len(value)}."
            raise InvalidInput(f"file: the value in row {row} {size}")
    return values


MAX_WARNINGS = 50

P = ParamSpec("P")
Request = TypeVar("Request", bound=ValuesRequest)
R = TypeVar("R", bound=ValidationResult[Any])


def validator(
    request: Callable[P, Request],
    examples: Sequence[Example],
    *,
    warnings: str = "What may not be as expected.",
    meta: Mapping[str, Schema] | None = None,
    licensed_packages: Mapping[str, str] | None = None,
) -> tool[P, Request]:
    """Return what makes a function a tool that validates values; `warnings` and `meta` describe members of the meta."""
    field = cast("type[ValuesRequest]", request).value_field
    return tool(
        request,
        tag="Validation",
        raw={"text/plain": field},
        produces={"json": "application/json"},
        errors=[NotConvertible],
        meta={**(meta or {}), "warnings": texts(warnings)},
        adapt=adapt_values(field),
        licensed_packages=licensed_packages or {},
        examples=examples,
    )


async def validate(
    request: ValuesRequest,
    check: Check,
    options: Any,
    result: type[R],
    *,
    meta: Mapping[str, Any] | None = None,
    keeps_invisible: bool = False,
) -> R:
    """Return the verdicts on the values of a request.

    Args:
        request: The request.
        check: An importable function that returns the verdict on one value. It runs in a worker process.
        options: What the check gets beside each value: plain data, or a dataclass of mediakit.
        result: The class of the result.
        meta: Members of the meta beside `warnings`.
        keeps_invisible: Whether the check gets the invisible characters inside a value; those around it are removed.

    Raises:
        InvalidInput: The table cannot be read, or has no such column.
        NotConvertible: Reading the table took too long.
    """
    field, job = request.value_field, Job(check, options, keeps_invisible=keeps_invisible)
    if request.file is not None:
        file = file_of(request.file)
        if not file:
            raise InvalidInput("file: must not be empty.")
        column = None if request.column is None else str(request.column)
        field, job = "file", replace(job, source=Source("file", file, file.name), column=column)
    elif request.values is not None:
        field, job = "values", replace(job, values=tuple(request.values))
    else:
        lines = tuple(lines_of(str(getattr(request, field))))
        job = replace(job, values=lines, is_single=len(lines) == 1)
    values, verdicts = await run_guarded(run, job, field=field, guard=TABLE)
    warnings = _warnings(verdicts, "" if job.is_single else field)
    return result._judged(values, verdicts, {**(meta or {}), "warnings": warnings}, is_single=job.is_single)


def _warnings(verdicts: Sequence[Verdict], field: str) -> list[str]:
    """Return the warnings of all values, with the places of those in a list."""
    places: dict[str, list[int]] = {}
    for place, verdict in enumerate(verdicts):
        for sentence in verdict.warnings:
            places.setdefault(sentence, []).append(place)
    if not field:
        return list(places)
    sentences = []
    for sentence, found in places.items():
        more = f" and {len(found) - 5} more" if len(found) > 5 else ""
        sentences.append(f"{field}[{', '.join(map(str, found[:5]))}{more}]: {sentence}")
    rest = len(sentences) - MAX_WARNINGS
    return sentences[:MAX_WARNINGS] + ([f"{rest} more warnings are not listed."] if rest > 0 else [])
