"""`ProfileResult`: what is in a table."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult
from mediakit.results.legacy import LegacyData, without_usage
from mediakit.tools.data.data_profile.response_schema import SCHEMA

if TYPE_CHECKING:
    import pandas as pd

_NOT_TABULAR = ("quantiles", "top", "histogram", "outliers", "formats", "problems")
_QUANTILES = ("q5", "q25", "q50", "q75", "q95")


class ProfileResult(LegacyData):
    """The profile of a table. Its attributes are the fields of the HTTP response; iterate over it for the columns."""

    mime_type = "application/json"

    rows: int  # type: ignore[assignment]  # the field of the response; `to_frame` has a row for each column
    """The number of rows that were looked at."""
    columns: list[dict[str, Any]]
    """The profile of each column: `name`, `type`, `semantic`, `count`, `nulls`, `quantiles`, `histogram` and others."""
    duplicate_rows: int
    """Rows that are equal to an earlier one."""
    empty_rows: int
    empty_columns: list[str]
    constant_columns: list[str]
    """Columns with one distinct value."""
    key_candidates: list[list[str]]
    """The smallest sets of up to 3 columns that identify a row."""
    correlations: list[dict[str, Any]]
    """Pairs of number columns: `a`, `b`, `pearson` and `spearman`."""
    score: int
    """0 to 100."""
    problems: list[dict[str, Any]]
    """What is wrong: `column`, `kind`, `count`, `rows`, `sentence` and `fix`."""
    sample: list[dict[str, Any]]
    """The first rows."""
    schema_errors: list[dict[str, Any]]
    """Rows that do not fit the schema: `row`, `column` and `message`; at most 100."""
    schema_error_count: int

    def __init__(self, fields: Mapping[str, Any], meta: Mapping[str, Any] | None = None, *, alt: str = "") -> None:
        for name in SCHEMA:
            setattr(self, name, fields[name])
        self.meta = dict(meta or {})
        self._alt = alt

    @property
    def content(self) -> bytes:  # type: ignore[override]  # made on demand
        """The fields and the meta as a JSON file."""
        return self.file

    @property
    def extent(self) -> str:
        """The size of the table, such as `250 rows × 9 columns`."""
        return f"{_counted(self.rows, 'row')} × {_counted(len(self.columns), 'column')}"

    @property
    def file_extension(self) -> str:
        """The extension of the saved fields: `json`."""
        return "json"

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        return {name: getattr(self, name) for name in SCHEMA}

    def to_frame(self) -> "pd.DataFrame":
        """Return a DataFrame of pandas, or of Polars if pandas is not installed, with a row for each column.

        Raises:
            ImportError: Neither is installed.
        """
        from mediakit.results.frames import data_frame

        frame: pd.DataFrame = data_frame([_flat(column) for column in self.columns])
        return frame

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the fields as a JSON file and return its path."""
        return self._json_file().save(path)

    def data_uri(self) -> str:
        """Return the fields as a `data:` URI of JSON."""
        return self._json_file().data_uri()

    def _json_file(self) -> FileResult:
        return FileResult(self.file, "application/json", "data-profile.json")

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of each field."""
        return dict(SCHEMA)

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        try:
            return cls(body, without_usage(body["meta"]))
        except KeyError as error:
            raise InvalidInput(f"The server's response does not describe a table: {error} is missing.") from None

    def __len__(self) -> int:
        return len(self.columns)

    def __bool__(self) -> bool:
        return True  # the profile of an empty table is a result, too

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> dict[str, Any]:
        for column in self.columns:
            if column["name"] == name:
                return column
        raise KeyError(name)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.data.data_profile import notebook_view

        return {"text/plain": repr(self), "text/html": notebook_view.html(self.fields(), self.meta)}, {}

    def __repr__(self) -> str:
        problems = _counted(len(self.problems), "problem") if self.problems else "no problems"
        return f"<ProfileResult {self.extent}, {problems}, score {self.score}>"


def _flat(column: Mapping[str, Any]) -> dict[str, Any]:
    flat = {name: value for name, value in column.items() if name not in _NOT_TABULAR}
    flat |= dict(zip(_QUANTILES, column["quantiles"] or [None] * len(_QUANTILES), strict=True))
    flat["outliers"] = column["outliers"]["count"] if column["outliers"] else None
    flat["top"] = column["top"][0]["value"] if column["top"] else None
    flat["formats"] = ", ".join(column["formats"])
    flat["problems"] = " ".join(column["problems"])
    return flat


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
