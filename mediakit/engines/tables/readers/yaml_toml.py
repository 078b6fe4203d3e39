"""YAML 1.2 with the tags of the core schema, and TOML 1.0, to plain values. Only what JSON has is constructed."""

import datetime as dt
import math
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from mediakit.engines.tables.model import Facts
from mediakit.engines.tables.readers.yaml_scanner import Event, YamlSyntaxError, events
from mediakit.errors import InvalidInput

MAX_NODES = 10_000
"""Nodes that the aliases of a document may refer to; each use of an alias counts all of its nodes."""

MAX_DEPTH = 100

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
    except _RefusedError as error:
        raise InvalidInput(f"{field}: {error}") from None
    except YamlSyntaxError as error:
        raise InvalidInput(f"{field}: is not YAML: {error}.") from None
    except RecursionError:
        raise InvalidInput(f"{field}: must have at most {MAX_DEPTH} levels.") from None
    return documents[0] if len(documents) == 1 else documents


class _RefusedError(ValueError):
    """The text is YAML by its syntax, but its content is refused."""


class _Composer:
    """Builds values from the events of a parser."""

    def __init__(self, source: Iterator[Event], facts: Facts) -> None:
        self._events = source
        self._facts = facts
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._aliased = 0

    def documents(self) -> list[Any]:
        found = []
        for event in self._events:
            if event.kind == "document":
                self._anchors = {}
                found.append(self._node(next(self._events), 0)[0])
        return found

    def _node(self, event: Event, depth: int) -> tuple[Any, int]:
        """Return a value and the number of its nodes."""
        if depth > MAX_DEPTH:
            raise _RefusedError(f"must have at most {MAX_DEPTH} levels.")
        if event.kind == "alias":
            return self._alias(event)
        _check_tag(event)
        if event.kind == "scalar":
            found: tuple[Any, int] = (self._scalar(event), 1)
        elif event.kind == "sequence":
            found = self._sequence(depth)
        else:
            found = self._mapping(depth)
        if event.anchor:
            self._anchors[event.anchor] = found
        return found

    def _alias(self, event: Event) -> tuple[Any, int]:
        if event.anchor not in self._anchors:
            raise _RefusedError(f"is not YAML: line {event.line}: the anchor of *{event.anchor[:40]} is not defined.")
        value, count = self._anchors[event.anchor]
        self._aliased += count
        if self._aliased > MAX_NODES:
            raise _RefusedError(f"must have at most {MAX_NODES:,} nodes behind its aliases.")
        return value, count

    def _sequence(self, depth: int) -> tuple[list[Any], int]:
        items, count = [], 1
        for event in self._inside():
            value, nodes = self._node(event, depth + 1)
            items.append(value)
            count += nodes
        return items, count

    def _mapping(self, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        count = 1
        for event in self._inside():
            is_merge = event.kind == "scalar" and event.is_plain and event.value == _MERGE
            key, key_nodes = self._node(event, depth + 1)
            value, nodes = self._node(next(self._events), depth + 1)
            count += key_nodes + nodes
            if is_merge and _is_mergeable(value):
                for part in value if isinstance(value, list) else [value]:
                    merged = part | merged
                continue
            name = _key(key)
            if name in found:
                raise _RefusedError(f'is not YAML: line {event.line}: the key "{name[:80]}" occurs twice.')
            found[name] = value
        return found | {name: value for name, value in merged.items() if name not in found}, count

    def _inside(self) -> Iterator[Event]:
        """Iterate over the events of a collection up to its end."""
        while (event := next(self._events)).kind != "end":
            yield event

    def _scalar(self, event: Event) -> Any:
        name = event.tag.removeprefix(_CORE) if event.tag else ""
        if name == "str" or event.tag == "!" or not (event.is_plain or name):
            return event.value
        return self._declared(event, name) if name else self._plain(event.value)

    def _declared(self, event: Event, name: str) -> Any:
        if name not in _DECLARED:
            raise _RefusedError(f"is not YAML: line {event.line}: !!{name} cannot be a scalar.")
        if not any(pattern.fullmatch(event.value) for pattern in _DECLARED[name]):
            raise _RefusedError(f'is not YAML: line {event.line}: "{event.value[:40]}" is not of the type !!{name}.')
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


def _check_tag(event: Event) -> None:
    """Refuse a tag that is not of the core schema."""
    known = ("map",) if event.kind == "mapping" else ("seq",) if event.kind == "sequence" else tuple(_DECLARED)
    if event.tag and event.tag != "!" and event.tag.removeprefix(_CORE) not in known:
        shown = "!!" + event.tag.removeprefix(_CORE) if event.tag.startswith(_CORE) else event.tag
        raise _RefusedError(
            f"line {event.line}: the tag {shown[:80]} is not allowed; only those of the core schema are."
        )


def _is_mergeable(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, dict) for part in value)
    return isinstance(value, dict)


def _key(value: Any) -> str:
    """Return a key as JSON can have it."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    raise _RefusedError("a key must be a scalar; JSON has no arrays or objects as keys.")


def _float(text: str) -> Any:
    from mediakit.engines.tables.readers.json_text import exact_number

    try:
        return exact_number(text)
    except ValueError:
        return None if not math.isfinite(float(text)) else float(text)


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
