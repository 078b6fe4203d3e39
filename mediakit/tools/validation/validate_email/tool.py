"""The tool `validate_email`."""

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.python_values import adapt_values
from mediakit.engines.validation.service import validate
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_email.check import check
from mediakit.tools.validation.validate_email.providers import lists_date
from mediakit.tools.validation.validate_email.request import ValidateEmailRequest
from mediakit.tools.validation.validate_email.result import EmailValidation

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
