"""Error messages: converts pydantic errors to sentences with the allowed values and the value that was passed."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
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
    """Return a sentence for each problem, in the order of the fields."""
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
    context, kind, value = detail.get("ctx", {}), detail["type"], detail["input"]
    if kind == "value_error":
        return str(context["error"])
    limit = context.get("max_length", context.get("min_length"))
    if kind == "string_too_short" and limit == 1:
        kind = "string_empty"
    if kind == "is_instance_of" and context["class"] == "Sequence":
        kind = "list_type"
    if kind not in _sentences():
        return f"{detail['msg'].removesuffix('.')}."
    is_word = isinstance(value, str) and len(value) < 30
    return _sentences()[kind].format(
        value=quote(value),
        length=len(value) if hasattr(value, "__len__") else 0,
        items="item" if limit == 1 else "items",
        example=f" such as {json.dumps([value], ensure_ascii=False)}" if is_word else "",
        **{name: _number(part) for name, part in context.items()},
    )


@cache
def _sentences() -> Mapping[str, str]:
    """Return a sentence for each type of pydantic's errors; its braces are limits of the field and the value."""
    sentences: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return sentences


def _position(field: str, names: Sequence[str]) -> int:
    head = re.split(r"[.\[]", field, maxsplit=1)[0]
    return names.index(head) if head in names else len(names)


def _number(value: Any) -> str:
    """Return a limit as people write it: 2, not 2.0."""
    return f"{value:g}" if isinstance(value, float) else str(value)
