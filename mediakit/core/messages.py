"""The words of refusals: what pydantic found, as sentences that name the value and the mend."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mediakit.errors import FieldError

SHOWN = 40
"""Characters of a refused value that a message repeats."""


def explain(error: ValidationError, *, names: Sequence[str]) -> list[FieldError]:
    """Say what is wrong with each field, in the order of the fields."""
    problems = [_problem(detail, names) for detail in error.errors(include_url=False)]
    return sorted(problems, key=lambda problem: _place(problem["field"], names))


def quote(value: Any) -> str:
    """Show a value as JSON would write it, cut to a readable length."""
    if isinstance(value, bytes | bytearray):
        return f"{len(value)} bytes"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return f"a {type(value).__name__}"
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _problem(detail: ErrorDetails, names: Sequence[str]) -> FieldError:
    path = [names[part] if isinstance(part, int) and not index else part for index, part in enumerate(detail["loc"])]
    head = str(path[0]) if path else ""
    tail = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path[1:])
    return {"field": head + tail, "message": _sentence(detail)}


def _sentence(detail: ErrorDetails) -> str:
    context: Mapping[str, Any] = detail.get("ctx", {})
    say = SENTENCES.get(detail["type"])
    if say is not None:
        return say(context, detail["input"])
    if detail["type"] == "value_error":
        return str(context["error"])
    return f"{detail['msg']}." if not detail["msg"].endswith(".") else detail["msg"]


def _place(field: str, names: Sequence[str]) -> int:
    head = re.split(r"[.\[]", field, maxsplit=1)[0]
    return names.index(head) if head in names else len(names)


def _got(rule: str) -> Callable[[Mapping[str, Any], Any], str]:
    return lambda context, value: f"{rule.format(**_short(context))}, got {quote(value)}."


def _short(context: Mapping[str, Any]) -> dict[str, Any]:
    """Write the limit of a number field as people do: 2, not 2.0."""
    return {name: f"{value:g}" if isinstance(value, float) else value for name, value in context.items()}


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"


SENTENCES: dict[str, Callable[[Mapping[str, Any], Any], str]] = {
    "missing": lambda _context, _value: "is required.",
    "missing_argument": lambda _context, _value: "is required.",
    "string_type": _got("must be text"),
    "string_unicode": lambda _context, _value: "must be valid Unicode text, without lone surrogates.",
    "string_too_short": lambda context, _value: (
        "must not be empty."
        if context["min_length"] == 1
        else f"must have at least {context['min_length']} characters."
    ),
    "string_too_long": lambda context, value: (
        f"must have at most {context['max_length']} characters, got {len(value)}."
    ),
    "string_pattern_mismatch": _got("must match {pattern}"),
    "int_type": _got("must be a whole number"),
    "int_from_float": _got("must be a whole number"),
    "int_parsing_size": lambda _context, _value: "is too large a number.",
    "float_type": _got("must be a number"),
    "finite_number": lambda _context, _value: "must be a finite number.",
    "bool_type": _got("must be true or false"),
    "greater_than_equal": _got("must be at least {ge}"),
    "less_than_equal": _got("must be at most {le}"),
    "literal_error": _got("must be one of {expected}"),
    "dict_type": _got("must be an object"),
    "list_type": _got("must be a list"),
    "extra_forbidden": lambda _context, _value: "is not a known field.",
    "unexpected_keyword_argument": lambda _context, _value: "is not a known field.",
    "too_long": lambda context, _value: (
        f"must have at most {_items(context['max_length'])}, got {context['actual_length']}."
    ),
    "too_short": lambda context, _value: f"must have at least {_items(context['min_length'])}.",
}


def readable_size(count: int) -> str:
    """Write a number of bytes as people read it: `840 B`, `1.4 kB`, `3.8 MB`."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
