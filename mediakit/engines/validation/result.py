"""`ValidationResult`: the verdicts on one value or on several."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from mediakit.core.tool import Tool
from mediakit.engines.validation.python_values import LEADING_ZEROS, ColumnValues, ValueText
from mediakit.engines.validation.reason_code import ReasonCode
from mediakit.engines.validation.response_schema import COMMON, SEVERAL, item_schema
from mediakit.engines.validation.verdict import Verdict
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult
from mediakit.results.legacy import LegacyData, without_usage

if TYPE_CHECKING:
    import pandas as pd


class ValueResult:
    """The verdict on one value; its fields are attributes."""

    input: str
    """The value as it was passed."""
    valid: bool
    normalized: str | None
    """The normal form; None if the value is not valid."""
    reason: str | None
    """Why the value is not valid."""
    code: str | None
    """A stable word for the reason."""
    suggestion: str | None
    """A value that would be valid."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__.update(fields)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...  # the fields of the tool

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return dict(self.__dict__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValueResult) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # its details can be lists

    def __repr__(self) -> str:
        return f"<ValueResult {self.input!r} {_verdict(self)}>"


class ValidationResult(LegacyData):
    """The verdicts on one value or on several.

    `results` has a verdict per value. The fields of one value (`normalized`, `reason`, ...) are attributes as well.
    """

    details: ClassVar[Mapping[str, Any]] = {}
    """JSON Schemas of the further fields of the tool, by name."""
    _internal_names = frozenset(("details", "fields", "index", "of", "rows"))

    def __init__(
        self,
        results: Sequence[ValueResult],
        meta: Mapping[str, Any] | None = None,
        *,
        is_single: bool = False,
        duplicates: Sequence[Sequence[int]] = (),
        alt: str = "",
    ) -> None:
        self.results = list(results)
        """The verdict on each value, in the order of the values."""
        self.is_single = is_single
        """Whether one value was passed, and not a list."""
        self.duplicates = [list(places) for places in duplicates]
        """Places of values with the same normal form."""
        self.mime_type = "application/json"
        self.meta = dict(meta or {})
        self._alt = alt
        self.index: Any = None

    @classmethod
    def of(
        cls, values: Sequence[str], verdicts: Sequence[Verdict], meta: Mapping[str, Any], *, is_single: bool
    ) -> Self:
        """Return the result of values and the verdicts on them."""
        results = [
            ValueResult(
                {
                    "input": value,
                    "valid": verdict.valid,
                    "normalized": verdict.normalized,
                    "reason": verdict.reason,
                    "code": verdict.code,
                    "suggestion": verdict.suggestion,
                    **{name: verdict.details.get(name) for name in cls.details},
                }
            )
            for value, verdict in zip(values, verdicts, strict=True)
        ]
        return cls(results, meta, is_single=is_single, duplicates=[] if is_single else _duplicates(verdicts))

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        try:
            meta = without_usage(body["meta"])
            if "results" in body:
                return cls([ValueResult(each) for each in body["results"]], meta, duplicates=body["duplicates"])
            return cls([ValueResult({name: body[name] for name in (*COMMON, *cls.details)})], meta, is_single=True)
        except (KeyError, TypeError) as error:
            raise InvalidInput(f"The server's response has no verdicts: {error}") from None

    def attach_call(self, tool: Tool[..., Any], request: Any) -> None:
        """Store the call; the index of its column, and a warning for numbers."""
        super().attach_call(tool, request)
        values = request.values
        if isinstance(values, ColumnValues):
            self.index = values.index
        is_number = isinstance(getattr(request, request.value_field), ValueText)
        warnings = self.meta.setdefault("warnings", [])
        if (is_number or getattr(values, "has_numbers", False)) and LEADING_ZEROS not in warnings:
            warnings.append(LEADING_ZEROS)

    @property
    def code(self) -> ReasonCode:
        """The stable word for why the only value is not valid; called, the code of the call, as of every result."""
        return ReasonCode.of(self.results[0].code if self.is_single else None, super().code)

    @property
    def valid(self) -> bool:
        """Whether every value is valid."""
        return all(result.valid for result in self.results)

    @property
    def count(self) -> int:
        """Number of values."""
        return len(self.results)

    @property
    def valid_count(self) -> int:
        """Number of valid values."""
        return sum(result.valid for result in self.results)

    @property
    def invalid_count(self) -> int:
        """Number of values that are not valid."""
        return self.count - self.valid_count

    @property
    def invalid(self) -> Self:
        """The values that are not valid, with their rows of the index."""
        places = [place for place, result in enumerate(self.results) if not result.valid]
        part = type(self)([self.results[place] for place in places], self.meta)
        part.index = None if self.index is None else self.index[places]
        return part

    def __getattr__(self, name: str) -> Any:
        if name in COMMON or name in type(self).details:
            if self.is_single:
                return getattr(self.results[0], name)
            raise AttributeError(f"This result has {self.count} values; use .results[0].{name} or .to_frame().")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        if self.is_single:
            return self.results[0].to_dict()
        return {
            "results": [result.to_dict() for result in self.results],
            "count": self.count,
            "valid_count": self.valid_count,
            "invalid_count": self.invalid_count,
            "duplicates": self.duplicates,
        }

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the response, by name: the fields of one value, or those of several."""
        item = item_schema(cls.details)
        one = {name: {**part, "x-optional": True} for name, part in item["properties"].items()}
        results = {
            "type": "array",
            "items": item,
            "description": "A result per value, in their order.",
            "x-optional": True,
        }
        return {**one, "results": results, **SEVERAL}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per value."""
        return [result.to_dict() for result in self.results]

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per value as a DataFrame of pandas, or of Polars if pandas is not installed.

        If the values were a Series of pandas, the frame has its index.

        Raises:
            ImportError: Neither is installed.
        """
        from mediakit.results.frames import data_frame

        names = [*COMMON, *type(self).details]
        frame: pd.DataFrame = data_frame([[result[name] for name in names] for result in self.results], names)
        if self.index is not None and hasattr(frame, "set_axis"):
            frame = frame.set_axis(self.index, axis=0)
        return frame

    @property
    def content(self) -> bytes:  # type: ignore[override]  # made on demand
        """The fields and the meta as a JSON file."""
        return self.file

    @property
    def extent(self) -> str:
        """How many values are valid, such as `998 of 1000 valid`."""
        return f"{self.valid_count} of {self.count} valid"

    @property
    def file_extension(self) -> str:
        """The extension of the saved fields: `json`."""
        return "json"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the fields as a JSON file and return its path."""
        return FileResult(self.file, "application/json", "validation.json").save(path)

    def __iter__(self) -> Iterator[ValueResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, place: int) -> ValueResult:
        return self.results[place]

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.engines.validation.notebook_view import one_html, several_html

        rows, warnings = self.rows(), self.meta.get("warnings", ())
        html = one_html(rows[0], warnings) if self.is_single else several_html(rows, self.duplicates, warnings)
        return {"text/plain": repr(self), "text/html": html}, {}

    def __repr__(self) -> str:
        return f"<ValidationResult {_verdict(self.results[0]) if self.is_single else self.extent}>"


def _verdict(result: ValueResult) -> str:
    return "valid" if result.valid else f"not valid: {result.reason}"


def _duplicates(verdicts: Sequence[Verdict]) -> list[list[int]]:
    places: dict[str, list[int]] = {}
    for place, verdict in enumerate(verdicts):
        identity = verdict.identity or verdict.normalized
        if verdict.valid and identity is not None:
            places.setdefault(identity, []).append(place)
    return [found for found in places.values() if len(found) > 1]
