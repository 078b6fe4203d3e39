"""TOML 1.0 to plain values."""

import datetime as dt
import math
import tomllib
from typing import Any

from mediakit.engines.tables.model import Facts
from mediakit.errors import InvalidInput


def read_toml(content: bytes, field: str, facts: Facts) -> dict[str, Any]:
    """Return the value of a TOML document, which is always UTF-8; moments are texts in ISO 8601.

    Raises:
        InvalidInput: The text is not TOML.
    """
    try:
        value = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{field}: is not TOML: byte {error.start} is not UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{field}: is not TOML: {_sentence(str(error))}.") from None
    except (RecursionError, ValueError):
        raise InvalidInput(f"{field}: is not TOML: it has too many levels, or a number with too many digits.") from None
    return {key: _plain(item, facts) for key, item in value.items()}


def _plain(value: Any, facts: Facts) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item, facts) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, facts) for item in value]
    if isinstance(value, dt.date | dt.time):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, float) and not math.isfinite(value):
        facts.warn("NaN and infinity are null.")
        return None
    return value


def _sentence(message: str) -> str:
    """Return the parser's words with a lower-case beginning and without a final period."""
    return (message[:1].lower() + message[1:]).rstrip(".")
