"""The data of a template: values that JSON can hold, within limits. It does not import Jinja."""

import datetime as dt
import math
import os
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

import pybase64
from pydantic import PlainValidator, WithJsonSchema

from mediakit.core.inputs import FileSource, is_missing, is_table, load_file, local_file
from mediakit.core.messages import quote
from mediakit.core.request import plain

MissingPolicy = Literal["error", "blank", "keep"]
"""What a value that the data does not have is: an error, nothing, or its placeholder."""

FieldKind = Literal["value", "list", "condition", "image"]
"""How a template uses a value."""

MAX_DEPTH = 8
MAX_VALUES = 10_000
MAX_KEY_LENGTH = 200

_FILES = (bytes, bytearray, memoryview, os.PathLike)
"""What is an image in Python."""

_SCHEMA = {
    "type": "object",
    "additionalProperties": True,
    "examples": [{"client": {"name": "Ada Lovelace"}, "items": [{"title": "Design", "price": 1200}], "paid": False}],
}


def check_data(value: Any) -> dict[str, Any]:
    """Return the data of a template.

    Raises:
        ValueError: It is not an object, has values that JSON cannot hold, or is larger than allowed.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"must be an object, got {quote(value)}.")  # noqa: TRY004  # pydantic turns ValueError into a message
    count = 0

    def check(value: Any, path: str, depth: int) -> Any:
        """Return a value with plain numbers and texts."""
        nonlocal count
        if isinstance(value, Mapping | list | tuple):
            if depth > MAX_DEPTH:
                raise ValueError(f"{path} is nested deeper than {MAX_DEPTH} levels.")
            if isinstance(value, Mapping):
                return {_check_key(key): check(item, _join(path, key), depth + 1) for key, item in value.items()}
            return [check(item, _join(path, index), depth + 1) for index, item in enumerate(value)]
        count += 1
        if count > MAX_VALUES:
            raise ValueError(f"must have at most {MAX_VALUES:,} values.")
        known: Any = None if is_missing(value) else plain(value)
        if isinstance(known, float) and math.isinf(known):
            raise ValueError(f"{path} must be a finite number.")
        if known is None or isinstance(known, str | bool | int | float):
            return known
        raise ValueError(f"{path} must be text, a number, true, false, null, a list or an object, got {quote(value)}.")

    checked: dict[str, Any] = check(value, "", 1)
    return checked


TemplateData = Annotated[dict[str, Any], PlainValidator(check_data), WithJsonSchema(_SCHEMA)]
"""Values by the name of their placeholder."""


def _check_key(key: Any) -> str:
    text = str(key)
    if len(text) > MAX_KEY_LENGTH:
        raise ValueError(f"has a name of more than {MAX_KEY_LENGTH} characters: {quote(text)}.")
    return text


def _join(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def adapt_data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with what only Python can hold as JSON: files, dates, decimals, data frames."""
    arguments = dict(values)
    if isinstance(arguments.get("data"), Mapping):
        arguments["data"] = {str(key): _json_value(item) for key, item in arguments["data"].items()}
    return arguments


def _json_value(value: Any, depth: int = 1) -> Any:
    if depth > MAX_DEPTH:  # the check of the data reports it
        return value
    if isinstance(value, Mapping):
        return {str(key): _member(key, item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(item, depth + 1) for item in value]
    if is_table(value) and not isinstance(value, FileSource):
        import narwhals as nw

        rows = nw.from_native(value, eager_only=True).rows(named=True)
        return [{str(name): _json_value(cell, depth + 2) for name, cell in row.items()} for row in rows]
    return _json_scalar(value)


def _json_scalar(value: Any) -> Any:
    if isinstance(value, FileSource):
        alt = getattr(value, "alt", "")
        return {"image": _base64(value), **({"alt": alt} if alt else {})}
    if isinstance(value, _FILES):
        return {"image": _base64(value)}
    if isinstance(value, dt.date | dt.time) and not is_missing(value):  # a datetime is a date
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def _member(key: object, value: Any, depth: int) -> Any:
    is_file = isinstance(value, (*_FILES, FileSource)) or _is_path(value)
    return _base64(local_file(value)) if key == "image" and is_file else _json_value(value, depth)


def _is_path(value: Any) -> bool:
    try:
        return isinstance(value, str) and isinstance(local_file(value), os.PathLike)
    except ValueError:  # the placeholder that prints it reports it
        return False


def _base64(value: Any) -> str:
    return pybase64.b64encode(load_file(value)).decode()
