"""Verdicts, and the result of a validation with its view in a notebook."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from typing import Annotated, Any, ClassVar, Self, TypeVar, cast

from pydantic import Field

from mediakit.display import MAX_SHOWN_ROWS, ShownColumn, facts_html, table_html
from mediakit.engines.validation.values import LEADING_ZEROS, ColumnValues, ValueText
from mediakit.results.data import JSON, JsonResult
from mediakit.results.item import Item, adapter, json_schema, to_plain
from mediakit.results.result import Bundle, ListResult


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a value is valid, and why not.

    A tool has a function `check(value, options)` that returns it for one value, which is not empty and has no white
    space and no invisible characters around it.
    """

    valid: bool
    normalized: str | None = None
    """The normal form of a valid value."""
    reason: str | None = None
    """Why the value is not valid: one sentence."""
    code: str | None = None
    """A stable word for the reason."""
    suggestion: str | None = None
    """A value that would be valid."""
    details: dict[str, Any] = field(default_factory=dict)
    """The further fields of the tool; those that are not here are None in the result."""
    warnings: tuple[str, ...] = ()
    """Sentences for `meta.warnings`."""
    identity: str | None = None
    """The text by which duplicates are found, if that is not `normalized`. It is not part of a response."""


def invalid(code: str, reason: str, suggestion: str | None = None, **details: Any) -> Verdict:
    """Return the verdict on a value that is not valid."""
    return Verdict(valid=False, reason=reason, code=code, suggestion=suggestion, details=details)


EMPTY = Verdict(valid=False, reason="The value is empty.", code="empty")


Row = Mapping[str, Any]
"""The fields of the result of a value."""

MAX_SHOWN_WARNINGS = 5

_FIRST = ("input", "normalized", "suggestion", "reason", "code")
"""The first columns of a table; the others follow in their order."""

_WARNING = "margin:0 0 6px;padding:6px 12px;border-left:3px solid #d97706;background:rgba(217,119,6,.1)"


def one_html(row: Row, warnings: Sequence[str]) -> str:
    """Return the verdict on one value as HTML; everything is escaped."""
    shown = {name: value for name, value in row.items() if name not in ("input", "valid")}
    facts = ((name.replace("_", " ").capitalize(), _text(value) or "") for name, value in shown.items())
    return facts_html("✓ Valid" if row["valid"] else "✗ Not valid", row["input"], facts, warnings)


def several_html(rows: Sequence[Row], duplicates: Sequence[Sequence[int]], warnings: Sequence[str]) -> str:
    """Return the verdicts on several values as HTML; everything is escaped."""
    names = [name for name in (rows[0] if rows else ()) if name != "valid"]
    names.sort(key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    shown = [{name: _text(row[name]) for name in names} for row in rows[:MAX_SHOWN_ROWS]]
    verdicts = ["✓ valid" if row["valid"] else "✗ not valid" for row in rows[:MAX_SHOWN_ROWS]]
    names = [name for name in names if name == "input" or any(row[name] for row in shown)]
    columns = [ShownColumn("verdict", ""), *(ShownColumn(name, "") for name in names)]
    cells = [[verdict, *(row[name] or "" for name in names)] for verdict, row in zip(verdicts, shown, strict=True)]
    notes = "".join(f'<div style="{_WARNING}">{escape(each)}</div>' for each in warnings[:MAX_SHOWN_WARNINGS])
    valid = sum(row["valid"] for row in rows)
    parts = [f"{valid:,} of {len(rows):,} valid", f"{len(rows) - valid:,} not valid"]
    repeated = sum(map(len, duplicates))
    caption = ", ".join([*parts, *([f"{repeated:,} are duplicates"] if repeated else [])])
    return notes + table_html(columns, cells, caption, len(rows))


def _text(value: Any) -> str | None:
    """Return a value as a cell shows it; None for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return None if value is None else str(value)


Text = Annotated[str | None, Field(examples=[None])]


class ValueResult(Item):
    """The verdict on one value. Subclasses add the fields of a tool, which are null where they are not known."""

    input: str
    """The value as it was sent."""
    valid: Annotated[bool, Field(examples=[True])]
    normalized: str | None
    """The normal form; null if the value is not valid."""
    reason: Text
    """Why the value is not valid, in one sentence."""
    code: Text
    """A stable word for the reason."""
    suggestion: Text
    """A value that would be valid."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return dict(to_plain(self))

    def __getitem__(self, name: str) -> Any:
        return vars(self)[name]

    def __repr__(self) -> str:
        return f"<ValueResult {self.input!r} {_verdict(self)}>"


V = TypeVar("V", bound=ValueResult)


class ValidationResult(ListResult[V], JsonResult):
    """The verdicts on one value or on several.

    `results` has a verdict per value. The fields of one value (`normalized`, `reason`, ...) are attributes as well, and
    in JSON they stand in the place of `results`.
    """

    _items = "results"
    _verdict: ClassVar[type[ValueResult]]
    """The class of a verdict."""

    results: list[V]
    """A result per value, in their order."""
    count: Annotated[int, Field(examples=[2])]
    """Number of values."""
    valid_count: Annotated[int, Field(examples=[2])]
    """Number of valid values."""
    invalid_count: Annotated[int, Field(examples=[0])]
    """Number of values that are not valid."""
    duplicates: Annotated[list[list[int]], Field(examples=[[]])]
    """Places, from 0, of values with the same normal form."""
    is_single: bool = False
    """Whether one value was passed, and not a list."""
    _index: ClassVar[Any] = None

    @classmethod
    def _of(cls, results: Sequence[Any], meta: dict[str, Any], *, is_single: bool, duplicates: Any = ()) -> Self:
        valid = sum(result.valid for result in results)
        counts = len(results), valid, len(results) - valid
        return cls(list(results), *counts, [list(places) for places in duplicates], is_single, meta=meta)

    @classmethod
    def _judged(
        cls, values: Sequence[str], verdicts: Sequence[Verdict], meta: dict[str, Any], *, is_single: bool
    ) -> Self:
        """Return the result of values and the verdicts on them."""
        common = ("valid", "normalized", "reason", "code", "suggestion")
        names = [each.name for each in fields(cls._verdict)][len(common) + 1 :]
        results = [
            cls._verdict(
                value,
                *(getattr(verdict, name) for name in common),
                *(verdict.details.get(name) for name in names),
            )
            for value, verdict in zip(values, verdicts, strict=True)
        ]
        places: dict[str, list[int]] = {}
        for place, verdict in enumerate(() if is_single else verdicts):
            identity = verdict.identity or verdict.normalized
            if verdict.valid and identity is not None:
                places.setdefault(identity, []).append(place)
        duplicates = [found for found in places.values() if len(found) > 1]
        return cls._of(results, meta, is_single=is_single, duplicates=duplicates)

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any) -> Self:  # noqa: ARG003
        is_single = "results" not in body
        rows = [body] if is_single else body["results"]
        kind: Any = cls._verdict
        results = [adapter(kind).validate_python(row) for row in rows]
        return cls._of(results, dict(meta), is_single=is_single, duplicates=body.get("duplicates", ()))

    @classmethod
    def _described(cls, schemas: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        item = json_schema(cls._verdict)
        items = {"type": "object", "required": list(item), "properties": item}
        several = {**schemas, "results": {**schemas["results"], "items": items}}
        del several["is_single"]
        return {name: {**schema, "x-optional": True} for name, schema in {**item, **several}.items()}

    def _complete(self) -> None:
        request = self.call.request
        values = request.values
        if isinstance(values, ColumnValues):
            vars(self)["_index"] = values.index
        is_number = isinstance(getattr(request, request.value_field), ValueText)
        warnings = self.meta.setdefault("warnings", [])
        if (is_number or getattr(values, "has_numbers", False)) and LEADING_ZEROS not in warnings:
            warnings.append(LEADING_ZEROS)

    @property
    def valid(self) -> bool:
        """Whether every value is valid."""
        return self.invalid_count == 0

    @property
    def code(self) -> str | None:
        """The stable word for why the only value is not valid; None if it is valid. `call.code()` returns the call."""
        return cast("str | None", self._only("code"))

    @property
    def invalid(self) -> Self:
        """The values that are not valid, with their rows of the index."""
        places = [place for place, result in enumerate(self.results) if not result.valid]
        part = type(self)._of([self.results[place] for place in places], self.meta, is_single=False)
        vars(part)["_index"] = None if self.index is None else self.index[places]
        return part

    @property
    def mime_type(self) -> str:
        """The media type of JSON."""
        return JSON

    @property
    def index(self) -> Any:
        """The index of the Series of pandas with the values; None for other values."""
        return self._index

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in (each.name for each in fields(type(self)._verdict)):
            return self._only(name)
        return cast("Any", super()).__getattr__(name)

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *(each.name for each in fields(type(self)._verdict) if self.is_single)})

    def _only(self, name: str) -> Any:
        """Return a field of the only value."""
        if not self.is_single:
            raise AttributeError(f"This result has {self.count} values; use .results[0].{name} or .to_frame().")
        return getattr(self.results[0], name)

    def _members(self) -> Mapping[str, Any]:
        if self.is_single:
            return self.results[0].to_dict()
        return {name: value for name, value in super()._members().items() if name != "is_single"}

    def _wire_members(self) -> Iterator[tuple[str, Any]]:
        yield from self._members().items()

    def _rows(self) -> list[Mapping[str, Any]]:
        return [result.to_dict() for result in self.results]

    def _frame(self) -> Any:
        from mediakit.results.data import data_frame

        names = [each.name for each in fields(self._verdict)]
        frame = data_frame([[result[name] for name in names] for result in self.results], names)
        if self.index is not None and hasattr(frame, "set_axis"):
            frame = frame.set_axis(self.index, axis=0)
        return frame

    def _json_name(self) -> str:
        return "validation.json"

    def _facts(self) -> str:
        return f"{self.valid_count} of {self.count} valid"

    def __getitem__(self, place: int) -> V:
        return self.results[place]

    def _bundle(self) -> Bundle:
        rows, warnings = self._rows(), self.meta.get("warnings", ())
        html = one_html(rows[0], warnings) if self.is_single else several_html(rows, self.duplicates, warnings)
        return {"text/html": html}, {}

    def __repr__(self) -> str:
        return f"<ValidationResult {_verdict(self.results[0]) if self.is_single else self._facts()}>"


def _verdict(result: ValueResult) -> str:
    return "valid" if result.valid else f"not valid: {result.reason}"
