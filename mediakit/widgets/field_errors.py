"""Error messages by field of a form."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from mediakit.errors import FieldError, InvalidInput

REQUIRED = "is required."
ONE_REQUIRED = "one of the two is required."

_INDEX = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True)
class FieldMessage:
    """A message below a field."""

    text: str
    """A sentence."""
    missing: str = ""
    """What must be filled in, such as `data` or `html or template`; empty for other errors."""


def by_field(error: Exception | None, names: Collection[str]) -> dict[str, FieldMessage]:
    """Return one message per invalid field; empty if the error does not belong to fields."""
    if not isinstance(error, InvalidInput):
        return {}
    if error.details:
        return {field_of(detail): _message(detail["field"], detail["message"]) for detail in reversed(error.details)}
    head, _, rest = error.message.partition(": ")
    fields = head.split(", ")
    if not all(field_name(field) in names for field in fields):
        return {}
    if rest == ONE_REQUIRED:
        return {fields[0]: _missing(" or ".join(fields))}
    if len(fields) > 1:
        return {fields[0]: FieldMessage(_sentence(f"{' and '.join(fields)} {rest}"))}
    return {field_name(head): _message(head, rest)}


def field_of(detail: FieldError) -> str:
    """Return the field of an error, for example `series` for `series[0].data`."""
    return field_name(detail["field"])


def field_name(path: str) -> str:
    """Return the field of a path, for example `series` for `series[0].data`."""
    return path.split("[", maxsplit=1)[0].split(".", maxsplit=1)[0]


def _message(path: str, message: str) -> FieldMessage:
    """Return the message of an error without the field's name; a path within the field is named."""
    if message == REQUIRED:
        return _missing(path)
    inner = _INDEX.sub(lambda match: f", item {int(match[1]) + 1}", path.removeprefix(field_name(path)))
    inner = inner.replace(".", ", ").removeprefix(", ")
    return FieldMessage(_sentence(f"{inner} {message}".lstrip()))


def _missing(names: str) -> FieldMessage:
    return FieldMessage(f"Fill in {names}.", names)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
