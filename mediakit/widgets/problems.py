"""What an error says of each field of a form."""

from collections.abc import Collection

from mediakit.errors import FieldError, InvalidInput


def by_field(error: Exception | None, names: Collection[str]) -> dict[str, str]:
    """Say what is wrong, a sentence a field; empty where the error is of no single field."""
    if not isinstance(error, InvalidInput):
        return {}
    if error.details:
        return {field_of(detail): f"{detail['field']} {detail['message']}" for detail in reversed(error.details)}
    head, _, rest = error.message.partition(": ")
    named = head.split(", ")
    if not all(name in names for name in named):
        return {}
    return {named[0]: f"{' and '.join(named)} {rest}"}


def is_missing(name: str, problem: str) -> bool:
    """Tell whether a field is only still to be filled in."""
    return problem == f"{name} is required."


def field_of(detail: FieldError) -> str:
    """Name the field of `series[0].data`."""
    return detail["field"].split("[")[0].split(".")[0]
