"""The options of a field of made-up tables as text: `min: 18; max: 90`, or JSON."""

import json
from collections.abc import Mapping
from typing import Any

from mediakit.core.messages import quote
from mediakit.core.request import invalid

_LISTS = ("values", "weights")
_TEXTS = ("from", "to", "pattern", "time_zone", "formula", "expression", "country")


def read_options(field: str, text: str) -> dict[str, Any]:
    """Return the options in text.

    Raises:
        InvalidInput: The text is neither JSON nor options such as `min: 18; max: 90`.
    """
    if text.strip().startswith("{"):
        try:
            read = json.loads(text)
        except ValueError:
            raise _error(field, text) from None
        return dict(read)
    found: dict[str, Any] = {}
    for part in filter(None, (each.strip() for each in text.split(";"))):
        name, separator, value = part.partition(":")
        if not separator:
            if name != "unique":
                raise _error(field, part)
            value = "true"
        found[name.strip()] = _value(name.strip(), value.strip())
    return found


def write_options(options: Mapping[str, Any]) -> str:
    """Return options as text that `read_options` reads."""
    text = "; ".join(f"{name}: {_text(value)}" for name, value in options.items())
    return text if _is_same(text, options) else json.dumps(options, ensure_ascii=False)


def _is_same(text: str, options: Mapping[str, Any]) -> bool:
    try:
        return repr(read_options("", text)) == repr(dict(options))
    except ValueError:
        return False


def _error(field: str, text: str) -> Exception:
    return invalid(
        [{"field": "fields", "message": f"{field}: options are written as min: 18; max: 90, got {quote(text)}."}]
    )


def _value(name: str, text: str) -> Any:
    if name in _LISTS and not text.startswith("["):
        return [_scalar(part.strip()) for part in text.split(",")]
    return text if name in _TEXTS else _scalar(text)


def _scalar(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return value if isinstance(value, str) else json.dumps(value)
