"""The request of `data_diff`: two sources, and how they are compared."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Annotated, Any, Literal, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.tables.model import MAX_COLUMNS, ReadOptions
from mediakit.engines.tables.reading import Source
from mediakit.engines.tables.request import Rows, Sheet, TableFile, TableOptions, TableText, Types

Mode = Literal["auto", "table", "tree"]
Format = Literal["json", "csv", "xlsx", "html", "markdown", "patch"]

MAX_KEY_COLUMNS = 10
MAX_NAME_LENGTH = 1000
"""Characters of the name of a column."""

MAX_LISTED = 100_000
"""The largest `max_changes`."""

_RENAME_RULE = 'must be an object of names, such as {"qty": "quantity"}.'


def _rename(value: Any) -> Mapping[str, str]:
    """Return new names by the old ones, which a query string carries as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError(_RENAME_RULE) from None
    is_names = isinstance(value, Mapping) and all(
        isinstance(name, str) and 0 < len(name) <= MAX_NAME_LENGTH for pair in value.items() for name in pair
    )
    if not is_names or len(value) > MAX_COLUMNS:
        raise ValueError(_RENAME_RULE)
    return dict(value)


Renamed = Annotated[
    Mapping[str, str],
    PlainValidator(_rename),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": "string"}, "x-kind": "text"}),
]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]


@dataclass(frozen=True)
class Side:
    """One of the two inputs."""

    source: Source
    read: ReadOptions

    @property
    def name(self) -> str:
        """The field that errors name."""
        return self.read.field


@request
class DataDiffRequest(TableOptions):
    """Two tables or documents, and how they are compared."""

    file: Annotated[TableFile, Synonyms("file1, before, old, first, left")] | None = None
    """The old table or document: CSV, TSV, JSON, JSON Lines, Excel, ODS, Parquet, YAML, TOML or Markdown; in Python
    also a data frame, a list of dicts or a dict of lists."""
    file2: Annotated[TableFile, Synonyms("after, new, second, right, other")] | None = None
    """The new one, of the same or another kind."""
    _: KW_ONLY
    key: (
        Annotated[Sequence[Name], Field(max_length=MAX_KEY_COLUMNS), Synonyms("on, id, keys, primary_key, index")]
        | None
    ) = None
    """Columns that identify a row, at most 10. Unset: the smallest set of columns that is unique in both tables;
    without one, rows are matched by their content."""
    ignore: Annotated[Sequence[Name], Field(max_length=MAX_COLUMNS), Synonyms("exclude, ignore_columns")] = ()
    """Columns, or JSON paths such as `$.meta.*`, that are not compared."""
    tolerance: Annotated[float, Field(ge=0), Synonyms("atol, absolute_tolerance")] = 0
    """Largest difference of two numbers that count as equal."""
    relative_tolerance: Annotated[float, Field(ge=0, le=1), Synonyms("rtol")] = 0
    """The same as a share of the larger number; 0.01 is one percent."""
    ignore_case: bool = False
    """Ignore capitals in texts."""
    ignore_space: bool = False
    """Ignore space around texts, and how much space is inside of them."""
    ignore_order: bool = True
    """Ignore the order of rows and columns. Arrays in a tree are always compared in their order."""
    strict_keys: bool = False
    """Refuse tables in which two rows have one key."""
    mode: Mode = "auto"
    """Compare rows of tables, or any JSON, YAML and TOML as a tree; auto compares tables if both inputs are tables."""
    rename: Renamed | None = None
    """New name by old name of the columns that were renamed. Unset: columns of equal content are compared as one."""
    format: Annotated[Format, Synonyms("to, output, output_format", {"xlsx": "excel"})] = "json"
    """Format of the differences: json is the response alone, patch is a JSON patch (RFC 6902)."""
    max_changes: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 1000
    """Number of rows to list at most in each of added, removed and changed; a patch is always complete."""
    text: TableText | None = None
    """The old table or document as text, in place of a file; at most 5,000,000 characters."""
    text2: TableText | None = None
    """The new one as text."""
    rows: Rows | None = None
    """Rows in place of the old file: an array of objects or of arrays."""
    rows2: Rows | None = None
    """Rows in place of the new file."""
    types2: Types | None = None
    """Types of the columns of the new table, if they are others than `types`."""
    sheet2: Sheet | None = None
    """Sheet of the new workbook, if it is another one than `sheet`."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """The two inputs, and how they are read."""
        first, second = self._sources()
        old, new = (
            replace(self.read_options(f"{source.field}{suffix}"), allows_missing_types=True)
            for source, suffix in ((first, ""), (second, "2"))
        )
        if self.sheet2 is not None:
            new = replace(new, sheet=str(self.sheet2))
        if self.types2 is not None:
            new = replace(new, types=self.types2)
        return Side(first, old), Side(second, new)

    @property
    def is_tolerant(self) -> bool:
        """Whether numbers may differ."""
        return self.tolerance > 0 or self.relative_tolerance > 0

    @property
    def is_exact(self) -> bool:
        """Whether values that count as equal have no difference that was asked to be ignored."""
        return not (self.is_tolerant or self.ignore_case or self.ignore_space)

    def _sources(self) -> tuple[Source, Source]:
        return (
            self.table_source(self.file, self.text, self.rows),
            self.table_source(self.file2, self.text2, self.rows2, "2"),
        )

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        self._sources()
        for name in ("key", "rename", "strict_keys"):
            if getattr(self, name) and self.mode == "tree":
                raise ValueError(f"{name}: requires mode table, got tree.")
        return self
