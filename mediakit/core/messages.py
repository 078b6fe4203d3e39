"""Error messages: converts pydantic errors to sentences with the allowed values and the value that was passed."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mediakit.core.suggestions import SynonymTable, meant
from mediakit.errors import FieldError

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

MAX_QUOTED_LENGTH = 40
"""Maximum number of characters of a rejected value in a message."""

Bounds = tuple[float, float]
"""Minimum and maximum of a number."""


def explain(
    error: "ValidationError",
    *,
    names: Sequence[str],
    bounds: Mapping[str, Bounds] | None = None,
    choices: Mapping[str, SynonymTable] | None = None,
) -> list[FieldError]:
    """Return a sentence for each problem, in the order of the fields.

    Args:
        error: The errors of a validation.
        names: The fields of the request, in order.
        bounds: Allowed ranges by field name.
        choices: Other words for the choices of a field, by field name.
    """
    problems = [_problem(detail, names, bounds or {}, choices or {}) for detail in error.errors(include_url=False)]
    return sorted(problems, key=lambda problem: _position(problem["field"], names))


def quote(value: Any) -> str:
    """Return a value as JSON text, truncated to a readable length."""
    if isinstance(value, bytes | bytearray):
        return "1 byte" if len(value) == 1 else f"{len(value)} bytes"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        kind = type(value).__name__
        return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= MAX_QUOTED_LENGTH else f"{text[:MAX_QUOTED_LENGTH]}…"


def counted(count: int, noun: str) -> str:
    """Return a number and its noun: `1 cell`, `2,000 cells`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def nearest(name: str, known: Sequence[str], synonyms: SynonymTable | None = None) -> str:
    """Return "did you mean" with the known names that are meant by another one, or the list of all known names."""
    found = meant(name, known, synonyms)
    if not found:
        return f"known names are {', '.join(known)}."
    return f"did you mean {' or '.join(map(quote, found))}?"


def readable_size(count: int) -> str:
    """Return a number of bytes as people write it: `840 B`, `1.4 kB`, `3.8 MB`."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def _problem(
    detail: "ErrorDetails", names: Sequence[str], bounds: Mapping[str, Bounds], choices: Mapping[str, SynonymTable]
) -> FieldError:
    path = [names[part] if isinstance(part, int) and not index else part for index, part in enumerate(detail["loc"])]
    head = str(path[0]) if path else ""
    tail = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path[1:])
    if not tail and head in bounds and detail["type"] in ("greater_than_equal", "less_than_equal"):
        low, high = bounds[head]
        return {
            "field": head,
            "message": f"must be between {_number(low)} and {_number(high)}, got {quote(detail['input'])}.",
        }
    if detail["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
        message = f"must be one of {detail['ctx']['expected']}, got {quote(detail['input'])}."
        return {"field": head + tail, "message": message + choice_hint(detail["input"], known, choices.get(head))}
    return {"field": head + tail, "message": _sentence(detail)}


def choice_hint(value: Any, known: Sequence[str], synonyms: SynonymTable | None = None) -> str:
    """Return a sentence with the choice that is meant; empty if there is none."""
    found = meant(value, known, synonyms) if isinstance(value, str) else []
    return f" Did you mean {' or '.join(map(quote, found))}?" if found else ""


def _sentence(detail: "ErrorDetails") -> str:
    context: Mapping[str, Any] = detail.get("ctx", {})
    if write := SENTENCES.get(detail["type"]):
        return write(context, detail["input"])
    if detail["type"] == "value_error":
        return str(context["error"])
    return f"{detail['msg']}." if not detail["msg"].endswith(".") else detail["msg"]


def _position(field: str, names: Sequence[str]) -> int:
    head = re.split(r"[.\[]", field, maxsplit=1)[0]
    return names.index(head) if head in names else len(names)


def _with_value(rule: str) -> Callable[[Mapping[str, Any], Any], str]:
    return lambda context, value: f"{rule.format(**_short(context))}, got {quote(value)}."


def _must_be_list(_context: Mapping[str, Any], value: Any) -> str:
    example = (
        f" such as {json.dumps([value], ensure_ascii=False)}" if isinstance(value, str) and len(value) < 30 else ""
    )
    return f"must be a list{example}, got {quote(value)}."


def _must_be_instance(context: Mapping[str, Any], value: Any) -> str:
    name = context["class"]
    return _must_be_list(context, value) if name == "Sequence" else f"must be of type {name}, got {quote(value)}."


def _short(context: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _number(value) if isinstance(value, float) else value for name, value in context.items()}


def _number(value: Any) -> str:
    """Return a limit as people write it: 2, not 2.0."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"


SENTENCES: dict[str, Callable[[Mapping[str, Any], Any], str]] = {
    "missing": lambda _context, _value: "is required.",
    "missing_argument": lambda _context, _value: "is required.",
    "string_type": _with_value("must be text"),
    "string_unicode": lambda _context, _value: "must be valid Unicode text, without lone surrogates.",
    "string_too_short": lambda context, value: (
        "must not be empty."
        if context["min_length"] == 1
        else f"must have at least {context['min_length']} characters, got {len(value)}."
    ),
    "string_too_long": lambda context, value: (
        f"must have at most {context['max_length']} characters, got {len(value)}."
    ),
    "string_pattern_mismatch": _with_value("must match {pattern}"),
    "int_type": _with_value("must be an integer"),
    "int_from_float": _with_value("must be an integer"),
    "int_parsing_size": lambda _context, _value: "is too large a number.",
    "float_type": _with_value("must be a number"),
    "finite_number": lambda _context, _value: "must be a finite number.",
    "bool_type": _with_value("must be true or false"),
    "greater_than_equal": _with_value("must be at least {ge}"),
    "less_than_equal": _with_value("must be at most {le}"),
    "dict_type": _with_value("must be an object"),
    "model_type": _with_value("must be an object"),
    "dataclass_type": _with_value("must be an object"),
    "list_type": _must_be_list,
    "tuple_type": _must_be_list,
    "sequence_str": _must_be_list,
    "is_instance_of": _must_be_instance,
    "extra_forbidden": lambda _context, _value: "is not a known field.",
    "unexpected_keyword_argument": lambda _context, _value: "is not a known field.",
    "too_long": lambda context, _value: (
        f"must have at most {_items(context['max_length'])}, got {context['actual_length']}."
    ),
    "too_short": lambda context, _value: f"must have at least {_items(context['min_length'])}.",
}
