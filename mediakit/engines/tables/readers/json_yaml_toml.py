"""Strict JSON and JSON Lines, YAML 1.2 with the tags of the core schema, and TOML 1.0, to plain values."""

import datetime as dt
import json
import math
import re
import tomllib
from collections.abc import Callable, Collection, Iterator
from decimal import Decimal
from typing import Any

from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from mediakit.engines.tables.model import Facts
from mediakit.engines.tables.readers.yaml_scanner import YamlSyntaxError, events, line_of
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
    try:
        _check_surrogates(text, values)
        _check(values, MAX_DEPTH + 1)
    except _RefusedError as error:
        raise InvalidInput(f"{field}: is not JSON Lines: {error}.") from None
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
        parts = (item.values() if isinstance(item, dict) else item for item in level if isinstance(item, dict | list))
        level = [child for part in parts for child in part if isinstance(child, dict | list)]


MAX_NODES = 10_000
"""Nodes that the aliases of a document may refer to; each use of an alias counts all of its nodes."""

YAML_MAX_DEPTH = 100

_CORE = "tag:yaml.org,2002:"
_NULL = re.compile(r"null|Null|NULL|~|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MERGE = "<<"


def read_yaml(text: str, field: str, facts: Facts) -> Any:
    """Return the value of a YAML text; several documents are an array.

    Raises:
        InvalidInput: The text is not YAML, or has a tag beyond the core ones, a duplicate key, or too many nodes.
    """
    try:
        documents = _Composer(events(text), facts).documents()
    except _YamlRefusedError as error:
        raise InvalidInput(f"{field}: {error}") from None
    except YamlSyntaxError as error:
        raise InvalidInput(f"{field}: is not YAML: {error}.") from None
    except RecursionError:
        raise InvalidInput(f"{field}: must have at most {YAML_MAX_DEPTH} levels.") from None
    return documents[0] if len(documents) == 1 else documents


class _YamlRefusedError(ValueError):
    """The text is YAML by its syntax, but its content is refused."""


class _Composer:
    """Builds values from the events of a parser."""

    def __init__(self, source: Iterator[Any], facts: Facts) -> None:
        self._events = source
        self._facts = facts
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._aliased = 0

    def documents(self) -> list[Any]:
        found = []
        for event in self._events:
            if isinstance(event, DocumentStartEvent):
                self._anchors = {}
                found.append(self._node(next(self._events), 0)[0])
        return found

    def _node(self, event: Any, depth: int) -> tuple[Any, int]:
        """Return a value and the number of its nodes."""
        if depth > YAML_MAX_DEPTH:
            raise _YamlRefusedError(f"must have at most {YAML_MAX_DEPTH} levels.")
        if isinstance(event, AliasEvent):
            if event.anchor not in self._anchors:
                raise _refused(event, f"the anchor of *{event.anchor[:40]} is not defined")
            value, count = self._anchors[event.anchor]
            self._aliased += count
            if self._aliased > MAX_NODES:
                raise _YamlRefusedError(f"must have at most {MAX_NODES:,} nodes behind its aliases.")
            return value, count
        tag = str(event.tag or "")
        if tag and tag != "!" and tag.removeprefix(_CORE) not in _TAGS[type(event)]:
            shown = "!!" + tag.removeprefix(_CORE) if tag.startswith(_CORE) else tag
            raise _YamlRefusedError(
                f"line {line_of(event)}: the tag {shown[:80]} is not allowed; only those of the core schema are."
            )
        if isinstance(event, ScalarEvent):
            found: tuple[Any, int] = (self._scalar(event, tag.removeprefix(_CORE)), 1)
        elif isinstance(event, SequenceStartEvent):
            parts = [self._node(each, depth + 1) for each in self._inside()]
            found = [value for value, _ in parts], 1 + sum(nodes for _, nodes in parts)
        else:
            found = self._mapping(depth)
        if event.anchor:
            self._anchors[event.anchor] = found
        return found

    def _mapping(self, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        count = 1
        for event in self._inside():
            is_merge = isinstance(event, ScalarEvent) and not event.style and event.value == _MERGE
            key, key_nodes = self._node(event, depth + 1)
            value, nodes = self._node(next(self._events), depth + 1)
            count += key_nodes + nodes
            parts = value if isinstance(value, list) else [value]
            if is_merge and parts and all(isinstance(part, dict) for part in parts):
                for part in parts:
                    merged = part | merged
                continue
            name = _key(key)
            if name in found:
                raise _refused(event, f'the key "{name[:80]}" occurs twice')
            found[name] = value
        return found | {name: value for name, value in merged.items() if name not in found}, count

    def _inside(self) -> Iterator[Any]:
        """Iterate over the events of a collection up to its end."""
        while not isinstance(event := next(self._events), CollectionEndEvent):
            yield event

    def _scalar(self, event: ScalarEvent, name: str) -> Any:
        if name in ("str", "!") or (event.style and not name):
            return event.value
        if not name:
            return self._plain(event.value)
        if not any(pattern.fullmatch(event.value) for pattern in _DECLARED[name]):
            raise _refused(event, f'"{event.value[:40]}" is not of the type !!{name}')
        value = self._plain(event.value)
        return float(value) if name == "float" and isinstance(value, int) else value

    def _plain(self, text: str) -> Any:
        """Return the value of a plain scalar by the core schema."""
        if len(text) > 400:  # no number and no word is that long
            return text
        for pattern, convert in _RESOLVERS:
            if pattern.fullmatch(text):
                return convert(text)
        if _NOT_FINITE.fullmatch(text):
            self._facts.warn("NaN and infinity are null.")
            return None
        return text


def _refused(event: Any, reason: str) -> _YamlRefusedError:
    return _YamlRefusedError(f"is not YAML: line {line_of(event)}: {reason}.")


def _key(value: Any) -> str:
    """Return a key as JSON can have it."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str | int | float):
        return str(value)
    raise _YamlRefusedError("a key must be a scalar; JSON has no arrays or objects as keys.")


def _float(text: str) -> Any:
    try:
        return exact_number(text)
    except ValueError:
        return float(text) if math.isfinite(float(text)) else None


_RESOLVERS: tuple[tuple[re.Pattern[str], Callable[[str], Any]], ...] = (
    (_NULL, lambda _: None),
    (_TRUE, lambda _: True),
    (_FALSE, lambda _: False),
    (_INTEGER, int),
    (_OCTAL, lambda text: int(text, 8)),
    (_HEXADECIMAL, lambda text: int(text, 16)),
    (_FLOAT, _float),
)
_DECLARED: dict[str, tuple[re.Pattern[str], ...]] = {
    "str": (re.compile(r".*", re.DOTALL),),
    "null": (_NULL,),
    "bool": (_TRUE, _FALSE),
    "int": (_INTEGER, _OCTAL, _HEXADECIMAL),
    "float": (_FLOAT, _NOT_FINITE, _INTEGER),
}
_TAGS: dict[type, Collection[str]] = {
    ScalarEvent: _DECLARED,
    SequenceStartEvent: ("seq",),
    MappingStartEvent: ("map",),
}


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
        words = str(error)
        raise InvalidInput(f"{field}: is not TOML: {(words[:1].lower() + words[1:]).rstrip('.')}.") from None
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
