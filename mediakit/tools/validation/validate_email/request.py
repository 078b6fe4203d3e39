"""The request of `validate_email`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from mediakit.core.request import request
from mediakit.engines.validation.request import ValueField, ValuesRequest

Allowed = Literal["quoted", "literal", "local", "display_name", "ascii_only"]


@request
class ValidateEmailRequest(ValuesRequest):
    """Email addresses to check."""

    value_field: ClassVar[str] = "email"

    email: ValueField | None = None
    """Email address of at most 1000 characters, or one per line; in Python also a column."""
    _: KW_ONLY
    allow: Annotated[Sequence[Allowed], Field(max_length=5)] = ()
    """Forms that count as valid as well: `quoted` (a quoted local part), `literal` (`[192.0.2.1]` as domain), `local`
    (a domain without a dot, or `.local`, `.test` and such), `display_name` (`Ana <ana@example.com>`). `ascii_only`
    restricts instead: only addresses in ASCII are valid."""
