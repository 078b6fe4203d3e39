"""The tool `validate_email`, its request and its result."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from mediakit.core import meta_schemas
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.result import ValidationResult, ValueResult
from mediakit.engines.validation.service import ValueField, ValuesRequest, validate
from mediakit.engines.validation.values import adapt_values
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_email.check import check
from mediakit.tools.validation.validate_email.domains import lists_date

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


Provider = Literal["gmail", "outlook", "yahoo", "icloud", "proton", "fastmail"]


class EmailVerdict(ValueResult):
    """The verdict on an email address."""

    local: Annotated[str | None, Field(examples=["ana.diaz+news"])]
    """The part before the @, as written."""
    domain: Annotated[str | None, Field(examples=["gmail.com"])]
    """The part after the @, in lower case."""
    ascii: Annotated[str | None, Field(examples=["ana.diaz+news@gmail.com"])]
    """The address in ASCII, with a Punycode domain; null if the local part is not ASCII."""
    ascii_domain: Annotated[str | None, Field(examples=["gmail.com"])]
    """The domain in ASCII."""
    tag: Annotated[str | None, Field(examples=["+news"])]
    """The tag of the local part, with its plus sign."""
    base: Annotated[str | None, Field(examples=["anadiaz@gmail.com"])]
    """The mailbox that the address belongs to, without the tag; only for known providers."""
    provider: Annotated[
        Literal["gmail", "outlook", "yahoo", "icloud", "proton", "fastmail"] | None, Field(examples=["gmail"])
    ]
    """The provider of the domain."""
    free: Annotated[bool | None, Field(examples=[True])]
    """Whether anybody can open a mailbox of the domain for free."""
    role: Annotated[bool | None, Field(examples=[False])]
    """Whether the address belongs to a function, such as info@, and not to a person."""
    disposable: Annotated[bool | None, Field(examples=[False])]
    """Whether the domain is one of temporary mailboxes."""
    smtputf8: Annotated[bool | None, Field(examples=[False])]
    """Whether servers must support internationalized addresses (RFC 6531)."""


class EmailValidation(ValidationResult[EmailVerdict]):
    """The verdicts on email addresses."""

    _verdict = EmailVerdict


META = {
    "lists_date": meta_schemas.text("Date of the list of domains with temporary mailboxes.", "2026-11-09"),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    ValidateEmailRequest,
    tag="Validation",
    raw={"text/plain": "email"},
    produces={"json": "application/json"},
    errors=[NotConvertible],
    meta=META,
    adapt=adapt_values("email"),
    examples=[
        Example("One address", {"email": "ana.diaz+news@gmail.com"}),
        Example("Several; the second has a typing error", {"values": ["ana@example.com", "bo@gmial.com", "c@example"]}),
        Example("With a name", {"email": "Ana Díaz <ana@example.com>", "allow": ["display_name"]}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "email"}),
    ],
)
async def validate_email(request: ValidateEmailRequest) -> EmailValidation:
    """Check email addresses: syntax, domain, and typing errors in the names of common providers.

    Each result has the parts of the address, its provider, and whether it is of a function (info@), a free mailbox or
    a temporary one. Nothing is sent over the network: whether the mailbox exists is not known. A suggestion never
    makes an address invalid.

    Raises:
        InvalidInput: There is no value, or the table cannot be read.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    return await validate(
        request,
        check,
        tuple(request.allow),
        EmailValidation,
        meta={"lists_date": lists_date()},
        keeps_invisible=True,
    )
