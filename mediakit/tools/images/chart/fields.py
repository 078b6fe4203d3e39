"""The field types of a chart, and labels as dates, times or numbers."""

import datetime as dt
import math
import operator
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

from pydantic import (
    Field,
    GetJsonSchemaHandler,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)
from pydantic_core import CoreSchema, PydanticKnownError
from typing_extensions import TypedDict

from mediakit.core.fields import Color, ValidatedAs
from mediakit.core.messages import nearest, quote
from mediakit.core.request import CONFIG
from mediakit.engines.colors import PALETTE_NAMES, PaletteName

MAX_VALUE = 1e300
"""Sums and products of values up to this one do not overflow a float."""
MAX_LABELS, MAX_POINTS, MAX_SERIES, MAX_REFERENCE_LINES = 50, 5000, 10, 10
"""The most labels of a category axis, points of an axis of dates or numbers, series, and reference lines."""

Aggregate = Literal["sum", "mean", "median", "min", "max", "count"]
"""How the numbers of rows with the same label become one."""

MAX_COLORS = 50
"""The most colors of a palette."""

Number = Annotated[float, Field(ge=-MAX_VALUE, le=MAX_VALUE)]


class InlineSchema:
    """Writes the JSON Schema of a type inline, without a reference."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the resolved schema."""
        return handler.resolve_ref_schema(handler(schema))


def _text_or_number(value: Any, validate_text: ValidatorFunctionWrapHandler) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return validate_text(value)
    if not -MAX_VALUE <= value <= MAX_VALUE:
        raise PydanticKnownError("finite_number")
    return value


Label = Annotated[
    str,
    Field(max_length=100),
    WrapValidator(_text_or_number),
    WithJsonSchema({"anyOf": [{"type": "string", "maxLength": 100}, {"type": "number"}]}),
]
"""A text, or a number on an axis of numbers."""


class Series(TypedDict):
    """A named list of numbers."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # pydantic reads the configuration here

    name: NotRequired[Annotated[str, Field(max_length=100, description="Name in the legend.")]]
    data: Annotated[list[Number | None], Field(description="One number for each label; null requires `missing`.")]
    x: NotRequired[
        Annotated[
            list[Label],
            Field(max_length=MAX_POINTS, description="Scatter only: one x for each number, instead of the labels."),
        ]
    ]
    type: NotRequired[
        Annotated[Literal["bar", "line"], Field(description="Combo only; by default the last is a line.")]
    ]


class ReferenceLine(TypedDict):
    """A line at a value."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # pydantic reads the configuration here

    value: Annotated[Number, Field(description="Value on the axis.")]
    label: NotRequired[Annotated[str, Field(max_length=100, description="Text at the end of the line.")]]
    color: NotRequired[Annotated[Color, Field(description="Color of the line and its label.")]]


Labels = Annotated[list[Label], Field(json_schema_extra={"minItems": 1, "maxItems": MAX_POINTS})]
"""The request checks the number of labels, which depends on the type."""
AllSeries = Annotated[
    list[Annotated[Series, InlineSchema()]],
    Field(min_length=1, max_length=MAX_SERIES, examples=[[{"name": "2025", "data": [1, 2.5, 3]}]]),
]
ReferenceLines = Annotated[
    list[Annotated[ReferenceLine, InlineSchema()]],
    Field(max_length=MAX_REFERENCE_LINES, examples=[[{"value": 100, "label": "Target"}]]),
]


def _name_or_colors(value: Any, validate_colors: ValidatorFunctionWrapHandler) -> Any:
    only = value[0] if isinstance(value, list) and len(value) == 1 else value  # the shell and queries pass lists
    if isinstance(only, str) and only in PALETTE_NAMES:
        return only
    if type(value) is str:
        raise ValueError(f"{quote(value)} is not the name of a palette; {nearest(value, PALETTE_NAMES)}")
    return validate_colors(value)


_Colors = Annotated[list[Color], Field(min_length=1, max_length=MAX_COLORS)]
_COLORS_SCHEMA = TypeAdapter(_Colors).json_schema()
PaletteField = Annotated[
    list[str] | PaletteName,
    ValidatedAs(Annotated[_Colors, WrapValidator(_name_or_colors)]),
    WithJsonSchema(
        {
            "anyOf": [{"type": "string", "enum": [*PALETTE_NAMES]}, _COLORS_SCHEMA],
            "items": _COLORS_SCHEMA["items"],
            "maxItems": MAX_COLORS,
            "x-kind": "list",
            "examples": ["ocean", ["#0d6b60", "tomato"]],
        }
    ),
]
"""The name of a palette, or a list of 1 to 50 CSS colors."""


XKind = Literal["number", "year", "time"]

EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001  # times are local to the data
_YEAR = re.compile(r"[12]\d{3}", re.ASCII)
_MONTH = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
_QUARTER = re.compile(r"(\d{4})-?Q([1-4])", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_RULE = "must be a date, a time or a number"


class XValues(NamedTuple):
    """Positions on an axis of numbers, years or times."""

    kind: XKind
    values: tuple[float, ...]
    """Numbers; times are seconds since 1970 in the time zone of the data."""


class XError(ValueError):
    """A label that is not a date, time or number; or of another kind than the first label."""

    def __init__(self, index: int, label: str | float, rule: str = _RULE) -> None:
        super().__init__(f"{rule}, got {quote(label)}.")
        self.index = index


def parse_x(labels: Sequence[str | float]) -> XValues:
    """Return labels as positions on an axis.

    Labels are numbers, or dates and times of ISO 8601: `2025-03-31`, `2025-03-31T14:05`, `2025-03`, `2025-Q1`.

    Raises:
        XError: A label is neither a number nor a date or time, or of another kind than the first one.
    """
    if labels and _number(labels[0]) is not None:
        numbers = []
        for index, label in enumerate(labels):
            if (number := _number(label)) is None:
                raise XError(index, label, "must be a number like the first label")
            numbers.append(number)
        is_year = all(_YEAR.fullmatch(str(label)) for label in labels)
        return XValues("year" if is_year else "number", tuple(numbers))
    times = []
    for index, label in enumerate(labels):
        moment = _time(str(label).strip())
        if moment is None:
            raise XError(index, label, "must be a date or a time like the first label" if index else _RULE)
        times.append(moment)
    offsets = [(moment.utcoffset() or dt.timedelta()).total_seconds() for moment in times]
    local = [(moment.replace(tzinfo=None) - EPOCH).total_seconds() for moment in times]
    # Times are local to their UTC offset if all have the same one, otherwise in UTC.
    return XValues("time", tuple(local if len(set(offsets)) == 1 else map(operator.sub, local, offsets)))


def is_x(labels: Sequence[str | float]) -> bool:
    """Return whether labels can be positions on an axis."""
    try:
        parse_x(labels)
    except XError:
        return False
    return True


def are_quarters(labels: Iterable[str | float]) -> bool:
    """Return whether labels are quarters, such as `2025-Q1`."""
    texts = [str(label).strip() for label in labels]
    return bool(texts) and all(map(_QUARTER.fullmatch, texts))


def _number(label: str | float) -> float | None:
    if isinstance(label, str) and label.isascii() and label.isdecimal():
        label = float(label)
    elif isinstance(label, str):
        text = label.strip().replace("\N{MINUS SIGN}", "-")
        if not _NUMBER.fullmatch(text):
            return None
        label = float(text)
    return float(label) if math.isfinite(label) and abs(label) <= MAX_VALUE else None


def _time(text: str) -> dt.datetime | None:
    try:
        if month := _MONTH.fullmatch(text):
            return dt.datetime(int(month[1]), int(month[2]), 1)  # noqa: DTZ001
        if quarter := _QUARTER.fullmatch(text):
            return dt.datetime(int(quarter[1]), int(quarter[2]) * 3 - 2, 1)  # noqa: DTZ001
        return None if _number(text) is not None else dt.datetime.fromisoformat(text)
    except ValueError:
        return None
