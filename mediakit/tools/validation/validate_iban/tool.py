"""The tool `validate_iban`."""

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.python_values import adapt_values
from mediakit.engines.validation.service import validate
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_iban.check import check
from mediakit.tools.validation.validate_iban.request import ValidateIbanRequest
from mediakit.tools.validation.validate_iban.result import IbanValidation

META = {
    "warnings": meta_schemas.texts("What may not be as expected, such as a bank that is not in the registry."),
}


@tool(
    ValidateIbanRequest,
    tag="Validation",
    raw={"text/plain": "iban"},
    produces={"json": "application/json"},
    errors=[NotConvertible],
    meta=META,
    adapt=adapt_values("iban"),
    examples=[
        Example("One IBAN", {"iban": "DE89 3704 0044 0532 0130 00"}),
        Example(
            "Several; the second has two digits swapped", {"values": ["ES9121000418450200051332", "BE68539007574034"]}
        ),
        Example("Only accounts of some countries", {"iban": "GB29NWBK60161331926819", "countries": ["DE", "FR"]}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "iban"}),
    ],
)
async def validate_iban(request: ValidateIbanRequest) -> IbanValidation:
    """Check account numbers (IBAN): structure, check digits, national check digits, bank.

    Each result has the parts of the number, and the name and BIC of the bank where the registry has it. An IBAN with
    two swapped characters or a misread digit gets a suggestion if only one correction is valid. Nothing is sent over
    the network: whether the account exists is not known.

    Raises:
        InvalidInput: There is no value, or the table cannot be read.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    return await validate(request, check, request.country_codes, IbanValidation)
