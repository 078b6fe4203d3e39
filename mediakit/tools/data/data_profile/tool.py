"""The tool `data_profile` and its result."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core import meta_schemas
from mediakit.core.messages import counted
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.python_tables import adapt_table
from mediakit.engines.tables.request import INPUT_TYPES, READING_META
from mediakit.errors import NotConvertible
from mediakit.results.data import DataResult
from mediakit.results.result import ListResult
from mediakit.samples import SALES
from mediakit.tools.data.data_profile.problems.values import Kind
from mediakit.tools.data.data_profile.profiling import DataProfileRequest, Profiled
from mediakit.tools.data.data_profile.semantics import Semantic

Count = Annotated[int, Field(ge=0)]
NoCount = Annotated[Count, Field(examples=[0])]
NoNames = Annotated[list[str], Field(examples=[[]])]
Value = str | int | float | bool | None
ColumnType = Literal["text", "integer", "number", "boolean", "date", "datetime", "time"]

Bin = TypedDict("Bin", {"from": float | str, "to": float | str, "count": Count})
"""A bin of a histogram."""


class Frequency(TypedDict):
    """How often a value occurs."""

    value: Value
    count: Count


class Outliers(TypedDict):
    """Values far from the others."""

    count: Count
    values: list[int | float]


class ColumnProfile(TypedDict):
    """The profile of a column."""

    name: str
    type: ColumnType
    semantic: Semantic | None
    """What the values mean."""
    count: Count
    """Values that are not null."""
    nulls: Count
    null_pct: Annotated[float, Field(ge=0, le=100)]
    distinct: Count
    """Distinct values, without null."""
    unique: bool
    """Whether there are values, and none repeats."""
    min: Value
    """Of numbers, dates and times."""
    max: Value
    mean: float | None
    median: float | None
    std: float | None
    """Standard deviation of a sample."""
    quantiles: list[float | None] | None
    """At 5, 25, 50, 75 and 95 %, interpolated linearly."""
    zeros: int | None
    negatives: int | None
    min_length: int | None
    """Characters of the shortest text."""
    max_length: int | None
    histogram: list[Bin] | None
    """20 bins of equal width, of numbers, dates and datetimes; one bin for a single value."""
    outliers: Outliers | None
    """Values more than 3 interquartile ranges beyond the quartiles, and the 5 farthest."""
    formats: list[str]
    """How dates are written: ymd, dmy, mdy, or d mon y with the month by name."""
    top: list[Frequency]
    """The most frequent values."""
    problems: list[str]
    """The sentences of the column's problems."""


class Correlation(TypedDict):
    """A pair of columns of numbers."""

    a: str
    b: str
    pearson: float | None
    spearman: float | None


class TableProblem(TypedDict):
    """What is wrong in a table."""

    column: str | None
    """null for a problem of the table."""
    kind: Kind
    count: Count
    """Cells or rows that it concerns."""
    rows: list[int]
    """The first 5 rows, from 1."""
    sentence: str
    fix: str


class SchemaError(TypedDict):
    """A row that does not fit a schema."""

    row: int | None
    column: str | None
    message: str


class ProfileResult(ListResult[ColumnProfile], DataResult):
    """The profile of a table. Iterate over it for the columns, or take one by its name."""

    _view = "mediakit.tools.data.data_profile.view:bundle"
    _items = "columns"

    rows: Annotated[Count, Field(examples=[2])]
    """Rows that were looked at."""
    columns: list[ColumnProfile]
    duplicate_rows: NoCount
    """Rows that are equal to an earlier one."""
    empty_rows: NoCount
    empty_columns: NoNames
    constant_columns: NoNames
    """Columns with one distinct value."""
    key_candidates: Annotated[list[list[str]], Field(examples=[[["id"]]])]
    """The smallest sets of up to 3 columns that identify a row; at most 20."""
    correlations: Annotated[list[Correlation], Field(examples=[[]])]
    """Pairs of the first 20 number columns with a correlation above 0.3 in either direction."""
    score: Annotated[int, Field(ge=0, le=100, examples=[94])]
    """100 less points for nulls, duplicate rows and problems."""
    problems: list[TableProblem]
    sample: Annotated[list[dict[str, Any]], Field(examples=[[]])]
    """The first rows."""
    schema_errors: Annotated[list[SchemaError], Field(examples=[[]])]
    """At most 100 errors of rows that do not fit `schema`."""
    schema_error_count: NoCount

    def _facts(self) -> str:
        return f"{counted(self.rows, 'row')} × {counted(len(self.columns), 'column')}"

    def _rows(self) -> list[Mapping[str, Any]]:
        """Return the values of each column that fit a cell."""
        nested = ("quantiles", "top", "histogram", "outliers", "formats", "problems")
        return [
            {
                **{name: value for name, value in column.items() if name not in nested},
                **dict(zip(("q5", "q25", "q50", "q75", "q95"), column["quantiles"] or [None] * 5, strict=True)),
                "outliers": column["outliers"]["count"] if column["outliers"] else None,
                "top": column["top"][0]["value"] if column["top"] else None,
                "formats": ", ".join(column["formats"]),
                "problems": " ".join(column["problems"]),
            }
            for column in self.columns
        ]

    def __getitem__(self, name: str) -> ColumnProfile:
        found = next((column for column in self.columns if column["name"] == name), None)
        if found is None:
            raise KeyError(name)
        return found

    def __repr__(self) -> str:
        problems = counted(len(self.problems), "problem") if self.problems else "no problems"
        return f"<ProfileResult {self._facts()}, {problems}, score {self.score}>"


META: Mapping[str, meta_schemas.Schema] = {
    "rows": {"type": "integer", "description": "Rows of the table.", "examples": [2]},
    "sampled": {"type": "boolean", "description": "Whether rows were omitted.", "examples": [False]},
    **READING_META,
}


@tool(
    DataProfileRequest,
    tag="Data",
    raw=dict.fromkeys(INPUT_TYPES, "file"),
    produces={"json": "application/json"},
    meta=META,
    errors=[NotConvertible],
    adapt=adapt_table,
    examples=[
        Example("What is in a CSV file", {"file": SALES}),
        Example(
            "Rows that do not fit a JSON Schema",
            {
                "file": SALES,
                "schema": {"properties": {"amount": {"type": "number", "minimum": 10}}, "required": ["order"]},
                "top": 3,
                "sample": 0,
            },
        ),
        Example(
            "Problems of a messy table",
            {
                "text": "id,city,visits,joined\n1,Madrid,12,2024-05-01\n2,madrid,-3,2024-02-30\n2, Oslo,7,2024-06-11\n",
                "sample": 0,
            },
        ),
    ],
)
async def data_profile(request: DataProfileRequest) -> ProfileResult:
    """Profile a table: types, statistics and problems of every column.

    For each column the profile has its type, what its values mean, counts, quantiles, a histogram, outliers and the
    most frequent values; for the table duplicate rows, keys, correlations and a score. `problems` name what is wrong,
    in which rows, and how to fix it: mixed types, lost zeros, spellings, ambiguous dates, mojibake and others. All
    numbers are exact, up to `max_rows` rows. No clock is used: births after 2026 count as future.

    Raises:
        InvalidInput: The table cannot be read, or `schema` is not a JSON Schema.
        NotConvertible: The profile took longer than 10 seconds.
    """
    work = "mediakit.tools.data.data_profile.profiling:profile"
    found = await run_guarded(work, request, returns=Profiled, field=request.source.field, guard=TABLE)
    return ProfileResult(**found.fields, meta=found.meta)
