"""Values of Python as labels: dates, numbers, tuples."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mediakit.core.inputs import is_missing

NOT_ITERATED = str | bytes | bytearray | None


def label_texts(values: Any) -> list[Any]:
    """Return values as labels."""
    return [value if type(value) is str else label_text(value) for value in as_list(values)]


def label_text(value: Any) -> Any:
    """Return a label as text: dates without an empty time, numbers without an empty fraction, tuples with commas."""
    value = value.item() if hasattr(value, "item") and not isinstance(value, str) else value
    if is_missing(value):
        return ""
    formatters: tuple[tuple[Any, Callable[[Any], str]], ...] = (
        (str, str),
        (dt.datetime, lambda moment: moment.isoformat(" ").removesuffix(" 00:00:00")),
        (dt.date, dt.date.isoformat),
        (bool, str),
        (float, lambda number: str(int(number)) if number.is_integer() and abs(number) < 1e15 else str(number)),
        (tuple, lambda parts: ", ".join(str(label_text(part)) for part in parts)),
        (bytes, lambda content: content),
    )
    return next((format_value(value) for kind, format_value in formatters if isinstance(value, kind)), str(value))


def as_list(values: Any) -> Any:
    """Return an array or another iterable as a list; texts, dictionaries and numbers as they are."""
    if not is_iterable(values) or isinstance(values, Mapping):
        return values
    if getattr(getattr(values, "dtype", None), "kind", "") == "M" and hasattr(values, "astype"):
        values = values.astype("datetime64[us]")  # NumPy lists nanoseconds as integers
    return values.tolist() if hasattr(values, "tolist") else list(values)


def is_iterable(value: Any) -> bool:
    """Return whether a value is a list, an array or another iterable, not text."""
    return isinstance(value, Iterable) and not isinstance(value, NOT_ITERATED)
