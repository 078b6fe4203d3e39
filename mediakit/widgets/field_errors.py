"""Error messages by field of a form."""

from collections.abc import Collection

from mediakit.errors import FieldError, InvalidInput

REQUIRED = " is required."
ONE_REQUIRED = "one of the two is required."


def by_field(error: Exception | None, names: Collection[str]) -> dict[str, str]:
    """Return one message per invalid field; empty if the error does not belong to fields."""
    if not isinstance(error, InvalidInput):
        return {}
    if error.details:
        return {field_of(detail): f"{detail['field']} {detail['message']}" for detail in reversed(error.details)}
    head, _, rest = error.message.partition(": ")
    fields = head.split(", ")
    if not all(name in names for name in fields):
        return {}
    if rest == ONE_REQUIRED:
        return {fields[0]: " or ".join(fields) + REQUIRED}
    return {fields[0]: f"{' and '.join(fields)} {rest}"}


def missing_field(message: str) -> str:
    """Return what a message names as required, for example `data` or `html or template`; empty for other messages."""
    return message.removesuffix(REQUIRED) if message.endswith(REQUIRED) else ""


def field_of(detail: FieldError) -> str:
    """Return the field of an error, for example `series` for `series[0].data`."""
    return detail["field"].split("[")[0].split(".")[0]
