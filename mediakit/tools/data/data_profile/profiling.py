"""The request of `data_profile`, and the profile of a table, which is made in a worker."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, replace
from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.tables.model import MAX_ROWS, ReadOptions
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.tables.request import Rows, TableFile, TableOptions, TableText
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_profile.column_values import Observed
from mediakit.tools.data.data_profile.problems import find
from mediakit.tools.data.data_profile.problems.values import Problem
from mediakit.tools.data.data_profile.row_schema import RowErrors, check_rows, checked_schema
from mediakit.tools.data.data_profile.semantics import semantic_of
from mediakit.tools.data.data_profile.statistics import (
    MAX_COLUMNS,
    column_profile,
    correlations,
    duplicate_rows,
    empty_rows,
    floats_of,
    key_candidates,
    sample_rows,
)

MAX_SCHEMA_CHARACTERS = 200_000
DEFAULT_MAX_ROWS = 100_000


def _schema(value: Any) -> dict[str, Any]:
    """Return a JSON Schema; a query string and a form carry it as JSON text."""
    if isinstance(value, str):
        _check_size(value)
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError("must be a JSON Schema, an object of JSON; the text is not JSON.") from None
    if not isinstance(value, Mapping):
        raise ValueError(  # noqa: TRY004  # pydantic turns ValueError into a message
            'must be an object, such as {"properties": {"age": {"minimum": 0}}}.'
        )
    try:
        text = json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        raise ValueError("must be an object that JSON can hold.") from None
    _check_size(text)
    plain: dict[str, Any] = json.loads(text)
    return plain


def _check_size(text: str) -> None:
    if len(text) > MAX_SCHEMA_CHARACTERS:
        raise ValueError(f"must have at most {MAX_SCHEMA_CHARACTERS:,} characters of JSON, got {len(text):,}.")


Schema = Annotated[
    dict[str, Any],
    PlainValidator(_schema),
    WithJsonSchema({"type": "object", "additionalProperties": True}),
]


@request
class DataProfileRequest(TableOptions):
    """A table, and what to look at."""

    file: TableFile | None = None
    """CSV, TSV, JSON, JSON Lines, Excel (XLSX, XLSM, XLSB, XLS), ODS, Parquet, YAML, TOML or Markdown; in Python also a
    data frame, a list of dicts or a dict of lists."""
    _: KW_ONLY
    text: TableText | None = None
    """The same as text, in place of a file; at most 5,000,000 characters."""
    rows: Rows | None = None
    """Rows in place of a file: an array of objects or of arrays."""
    schema: Annotated[Schema | None, Synonyms("json_schema, rules")] = None
    """JSON Schema (draft 2020-12) that each row must fit; with `"type": "array"` it is for the array of all rows. Dates
    are text there. At most 200,000 characters. References to other documents are refused."""
    max_rows: Annotated[int, Field(ge=1, le=MAX_ROWS), Synonyms("limit, nrows")] = DEFAULT_MAX_ROWS
    """Number of rows to look at; of a longer table, an even sample of so many rows."""
    top: Annotated[int, Field(ge=0, le=20)] = 5
    """Number of most frequent values to list by column."""
    sample: Annotated[int, Field(ge=0, le=20)] = 5
    """Number of first rows to return."""

    @property
    def source(self) -> Source:
        """The table."""
        return self.table_source(self.file, self.text, self.rows)

    @property
    def reading(self) -> ReadOptions:
        """How the table is read."""
        return replace(self.read_options(self.source.field), keep_cells=True)

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        self.table_source(self.file, self.text, self.rows)
        return self


@dataclass(frozen=True)
class Profiled:
    """What a worker returns: the fields of the response and its meta."""

    fields: dict[str, Any]
    meta: dict[str, Any]


_NULL_POINTS, _DUPLICATE_POINTS, _PROBLEM_POINTS = 30, 20, 60
"""The most points that nulls, duplicate rows and problems cost."""

_COST: dict[str, int] = {
    **dict.fromkeys("mixed_types leading_zeros_lost dates_in_two_orders impossible_dates mojibake".split(), 8),
    **dict.fromkeys("numbers_as_text dates_ambiguous future_birth_dates negative_counts totals_row".split(), 6),
    **dict.fromkeys("case_variants near_duplicates nulls_in_several_ways".split(), 4),
    "ids_repeat": 10,
    "spaces_around": 3,
    "one_value": 2,
    "duplicate_rows": 0,  # the share of the rows counts
}
"""The points that a problem of each kind costs."""


def score(problems: Sequence[Problem], null_share: float, duplicate_share: float) -> int:
    """Return the score of a table, 0 to 100.

    100 less up to 30 points for the share of cells that are null, up to 20 for that of duplicate rows, and a few
    points for each problem, 60 at most.
    """
    cost = min(_PROBLEM_POINTS, sum(_COST[problem.kind] for problem in problems))
    return max(0, round(100 - _NULL_POINTS * null_share - _DUPLICATE_POINTS * duplicate_share - cost))


def profile(request: DataProfileRequest) -> Profiled:
    """Profile a table.

    Raises:
        InvalidInput: The source is not one table, or the schema is not a JSON Schema.
    """
    schema = None if request.schema is None else checked_schema(request.schema)
    document = as_tables(read_source(request.source, request.reading), request.reading)
    if len(document.tables) > 1:
        raise InvalidInput("sheet: * is for all sheets; choose one of them.")
    table, facts = document.table, document.facts
    total = len(table)
    numbers = np.arange(1, total + 1)
    if total > request.max_rows:  # an even sample with the first and the last row
        numbers = np.linspace(1, total, request.max_rows).round().astype(np.int64)
    types = request.reading.types
    columns = []
    while table.columns:
        column = table.columns.pop(0)
        # The types of data frames come with the rows, the others are chosen by the caller.
        is_chosen = (
            types == "text" if isinstance(types, str) else column.name in types and request.source.field != "rows"
        )
        columns.append(Observed.of(column, numbers, is_declared=is_chosen))
        columns[-1].semantic = semantic_of(columns[-1])
    fields = _fields(columns, len(numbers), request)
    errors = RowErrors([], 0) if schema is None else check_rows(schema, columns)
    fields |= {"schema_errors": errors.listed, "schema_error_count": errors.count}
    used = len(numbers)
    is_sampled = used < total
    if is_sampled:
        facts.warn(f"The profile is of an even sample of {used:,} of {total:,} rows; set max_rows for more.")
    return Profiled(fields, {"rows": total, "sampled": is_sampled, **facts.described()})


def _fields(columns: Sequence[Observed], rows: int, request: DataProfileRequest) -> dict[str, Any]:
    floats = {column.name: floats_of(column) for column in columns if column.is_number}
    profiles = [column_profile(column, floats.get(column.name), request.top) for column in columns]
    repeated = duplicate_rows(columns) if len(columns) > 1 else []  # a single column may repeat its values
    problems = find(columns, repeated)
    by_name = {each["name"]: each for each in profiles}
    for problem in problems:
        if problem.column is not None:
            by_name[problem.column]["problems"].append(problem.sentence)
    duplicates = len(repeated)
    nulls = sum(one["nulls"] for one in profiles)
    known = [(name, values) for name, values in floats.items() if values is not None and len(values)]
    return {
        "rows": rows,
        "columns": profiles,
        "duplicate_rows": duplicates,
        "empty_rows": empty_rows(columns),
        "empty_columns": [column.name for column in columns if not column.count],
        "constant_columns": [column.name for column in columns if len(column.distinct) == 1 < rows],
        "key_candidates": key_candidates(columns, duplicates),
        "correlations": correlations(known[:MAX_COLUMNS]),
        "score": score(problems, nulls / (rows * len(columns) or 1), duplicates / (rows or 1)),
        "problems": [asdict(problem) for problem in problems],
        "sample": sample_rows(columns, request.sample),
    }
