"""The request of `pdf_form`."""

from dataclasses import KW_ONLY
from typing import Annotated, Any

from pydantic import PlainValidator, WithJsonSchema

from mediakit.core.fields import Password
from mediakit.core.inputs import PdfFile, is_missing
from mediakit.core.messages import quote
from mediakit.core.request import plain, request
from mediakit.core.suggestions import Synonyms

MAX_VALUES = 5000
"""Fields of one call."""

MAX_OPTIONS = 1000
"""Options of one field."""

_SCHEMA = {
    "type": "object",
    "maxProperties": MAX_VALUES,
    "additionalProperties": {
        "anyOf": [
            *({"type": kind} for kind in ("string", "number", "boolean", "null")),
            {"type": "array", "items": {"type": "string"}, "maxItems": MAX_OPTIONS},
        ]
    },
    "examples": [{"name": "Ada Lovelace", "newsletter": True}],
}


def _check_values(values: object) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise ValueError(f"must be an object, got {quote(values)}.")  # noqa: TRY004  # pydantic turns ValueError into a message
    if len(values) > MAX_VALUES:
        raise ValueError(f"must have at most {MAX_VALUES} items, got {len(values)}.")
    return {str(name): _check_value(str(name), value) for name, value in values.items()}


def _check_value(name: str, value: Any) -> Any:
    if not isinstance(value, list | tuple):
        return _check_single(name, value)
    if len(value) > MAX_OPTIONS:
        raise ValueError(f"{name} must have at most {MAX_OPTIONS} items, got {len(value)}.")
    return [_check_single(name, item) for item in value]


def _check_single(name: str, value: Any) -> str | float | None:
    known: str | float | None = None if is_missing(value) else plain(value)
    if known is None or isinstance(known, str | bool | int | float):
        return known
    raise ValueError(f"{name} must be text, a number, true, false, null or a list of options, got {quote(value)}.")


FieldValues = Annotated[dict[str, Any], PlainValidator(_check_values), WithJsonSchema(_SCHEMA)]
"""Values by the name of their field."""


@request
class PdfFormRequest:
    """A PDF form and what to fill in."""

    file: PdfFile
    """The PDF."""
    values: Annotated[FieldValues | None, Synonyms("data, fields, form")] = None
    """Values by the full name of the field (`person.name`), or by its last part if no other field has it. Text or a
    number for text; true, false or the export value for check boxes; one option for radio buttons and choices, a list
    for several; null clears. Without values, the fields are only listed."""
    _: KW_ONLY
    flatten: Annotated[bool, Synonyms("flat, readonly, lock")] = False
    """Draw all fields into the pages and remove the form, after filling."""
    strict: bool = True
    """Refuse names that no field has; else they are ignored, and `meta.unknown` lists them."""
    password: Password | None = None
    """The password of an encrypted file."""
