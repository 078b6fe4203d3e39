"""Strict JSON and JSON Lines: no duplicate keys, no NaN, no infinity, at most 200 levels."""

import json
import re
from decimal import Decimal
from typing import Any

from mediakit.errors import InvalidInput

MAX_DEPTH = 200
_FLOAT_CHARACTERS = 16

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

_WORDS = {
    "Expecting ',' delimiter": "expected a comma",
    "Expecting ':' delimiter": "expected a colon",
    "Expecting value": "expected a value",
    "Expecting property name enclosed in double quotes": "expected a name in double quotes",
    "Extra data": "expected the end of the text",
    "Unterminated string starting at": "a string opens here and is never closed",
    "Invalid control character at": "a control character must be escaped",
    "Illegal trailing comma before end of object": "expected a name after the comma",
    "Illegal trailing comma before end of array": "expected a value after the comma",
}


class _RefusedError(ValueError):
    """The text is JSON by its syntax, but its content is refused."""


def read_json(text: str, field: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        InvalidInput: The text is not JSON.
    """
    try:
        value = _DECODER.decode(text)
        _check_surrogates(text, value)
        _check(value)
    except json.JSONDecodeError as error:
        words = _WORDS.get(error.msg, error.msg[:1].lower() + error.msg[1:])
        raise InvalidInput(f"{field}: is not JSON: line {error.lineno}, column {error.colno}: {words}.") from None
    except RecursionError:
        raise InvalidInput(f"{field}: must have at most {MAX_DEPTH} levels of arrays and objects.") from None
    except ValueError as error:
        words = str(error) if isinstance(error, _RefusedError) else "a number has too many digits"
        raise InvalidInput(f"{field}: is not JSON: {words}.") from None
    return value


def read_json_lines(text: str, field: str) -> list[Any]:
    """Return the values of JSON Lines, one per line; blank lines are skipped.

    Raises:
        InvalidInput: A line is not JSON.
    """
    values = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                values.append(_DECODER.decode(line))
            except (ValueError, RecursionError) as error:
                raise InvalidInput(f"{field}: is not JSON Lines: line {number}: {_reason(error)}.") from None
    _check_lines(text, values, field)
    return values


def read_json_line(line: str) -> Any:
    """Return the value of one line of JSON Lines.

    Raises:
        ValueError: The line is not JSON. The message has the reason.
    """
    try:
        value = _DECODER.decode(line)
        _check_surrogates(line, value)
        _check(value)
    except (ValueError, RecursionError) as error:
        raise ValueError(_reason(error)) from None
    return value


def _check_lines(text: str, values: list[Any], field: str) -> None:
    try:
        _check_surrogates(text, values)
        _check(values, MAX_DEPTH + 1)
    except _RefusedError as error:
        raise InvalidInput(f"{field}: is not JSON Lines: {error}.") from None


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"column {error.colno}: {_WORDS.get(error.msg, error.msg[:1].lower() + error.msg[1:])}"
    return str(error) if isinstance(error, _RefusedError) else "the line has too many levels or digits"


def exact_number(text: str) -> float | Decimal:
    """Return a decimal number as a float, or as a `Decimal` where a float would lose digits.

    Raises:
        ValueError: It is too large for a float.
    """
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _RefusedError(f"{text[:40]} is too large a number")
    if len(text) > _FLOAT_CHARACTERS:
        exact = Decimal(text)
        if exact != Decimal(repr(number)) and abs(exact.adjusted()) < 400:  # beyond every float
            return exact
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _RefusedError(f'the key "{twice[:80]}" occurs twice in an object')
    return found


def _constant(name: str) -> Any:
    raise _RefusedError(f"{name} is not a number in JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=exact_number)


def _check_surrogates(text: str, value: Any) -> None:
    """Refuse a text with half of a surrogate pair, which no encoding can write."""
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False, default=str).encode()
        except UnicodeEncodeError:
            raise _RefusedError("a text has half of a surrogate pair") from None


def _check(value: Any, depth: int = MAX_DEPTH) -> None:
    """Refuse a value with too many levels."""
    level = [value]
    while level:
        if depth < 0:
            raise _RefusedError(f"it has more than {MAX_DEPTH} levels of arrays and objects")
        depth -= 1
        children = [child for item in level for child in _children(item)]
        level = [child for child in children if isinstance(child, dict | list)]


def _children(item: Any) -> list[Any]:
    return list(item.values()) if isinstance(item, dict) else item if isinstance(item, list) else []
