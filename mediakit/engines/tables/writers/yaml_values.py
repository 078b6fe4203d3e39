"""Values of any shape as YAML 1.2 that readers of YAML 1.1 understand alike."""

import re
from collections.abc import Iterator
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

from mediakit.engines.tables.writers.numerals import full_number

_PLAIN = re.compile(
    r"[A-Za-z_\u00a1-\u1fff\u2030-\u205e\u3040-\ud7ff\uf900-\ufdcf][^\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff:#,\[\]{}]*"
)
"""Texts that need no quotes, unless they match one of the next patterns or end with a space."""

_WORD = re.compile(r"(?:y|yes|n|no|true|false|on|off|null|none|nan|inf|~|=|<<|_+)", re.IGNORECASE)
_NUMBER_LIKE = re.compile(r"[-+.\d_]*[\d_][\d_.:eE+-]*|0[xob][\da-fA-F_]+|\d{4}-\d.*")
_BREAKING = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def encode(value: Any, indent: int) -> str:
    """Return a value as a YAML document.

    Args:
        value: Dicts, lists, texts, numbers, booleans and None.
        indent: Spaces per level, at least 1.
    """
    return "".join(f"{line}\n" for line in _lines(value, max(1, indent)))


def _lines(value: Any, indent: int) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _entry(f"{_text(str(key))}:", item, indent)
    elif isinstance(value, list | tuple) and value:
        for item in value:
            yield from _item(item, indent)
    else:
        yield _scalar(value)


def _entry(head: str, item: Any, indent: int) -> Iterator[str]:
    """Write an entry of a mapping: on one line where the value is a scalar, else with the value below."""
    if not _is_nested(item):
        yield f"{head} {_scalar(item)}"
        return
    yield head
    for line in _lines(item, indent):
        yield " " * indent + line


def _item(item: Any, indent: int) -> Iterator[str]:
    """Write an item of a sequence, its first line beside the dash."""
    pad = max(1, indent - 1)
    lines = _lines(item, indent)
    yield "-" + " " * pad + next(lines)
    for line in lines:
        yield " " * (pad + 1) + line


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list | tuple) and bool(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return full_number(value)
    return "{}" if isinstance(value, dict) else "[]"


def _text(text: str) -> str:
    """Return a text without quotes where every reader takes it for the same text."""
    is_plain = _PLAIN.fullmatch(text) and text == text.strip() and not _WORD.fullmatch(text)
    if is_plain and not _NUMBER_LIKE.fullmatch(text):
        return text
    return _BREAKING.sub(lambda match: f"\\u{ord(match[0]):04x}", encode_basestring(text))
