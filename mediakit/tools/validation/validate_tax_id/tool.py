"""The tool `validate_tax_id`."""

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.python_values import adapt_values
from mediakit.engines.validation.service import validate
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_tax_id.check import check
from mediakit.tools.validation.validate_tax_id.request import ValidateTaxIdRequest
from mediakit.tools.validation.validate_tax_id.result import TaxIdValidation

META = {
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    ValidateTaxIdRequest,
    tag="Validation",
    raw={"text/plain": "id"},
    produces={"json": "application/json"},
    errors=[NotConvertible],
    meta=META,
    adapt=adapt_values("id"),
    licensed_packages={"python-stdnum": ""},
    examples=[
        Example("A Spanish number of any kind", {"id": "12345678Z", "country": "ES"}),
        Example("VAT numbers with their prefix", {"values": ["DE136695976", "PT501964843", "XI980780684"]}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "tax_id"}),
        Example(
            "One kind, with its name in Spanish", {"id": "390.533.447-05", "country": "BR", "kind": "cpf", "lang": "es"}
        ),
    ],
)
async def validate_tax_id(request: ValidateTaxIdRequest) -> TaxIdValidation:
    """Check tax, VAT, identity and company numbers of more than 80 countries.

    Each result has the kind of number, all kinds that fit, and whether the kind has a check digit. Numbers of bank
    accounts, addresses and registers are checked only if their `kind` is requested. Nothing is sent over the network:
    whether the number was assigned is not known. Dates of birth in a number are not returned.

    Raises:
        InvalidInput: There is no value, the country is missing, or the country has no such kind.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    return await validate(request, check, request.options, TaxIdValidation)
