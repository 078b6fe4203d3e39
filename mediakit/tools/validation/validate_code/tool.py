"""The tool `validate_code`."""

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.python_values import adapt_values
from mediakit.engines.validation.service import validate
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_code.check import check
from mediakit.tools.validation.validate_code.request import ValidateCodeRequest
from mediakit.tools.validation.validate_code.result import CodeValidation

META = {
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    ValidateCodeRequest,
    tag="Validation",
    raw={"text/plain": "code"},
    produces={"json": "application/json"},
    errors=[NotConvertible],
    meta=META,
    adapt=adapt_values("code"),
    licensed_packages={"python-stdnum": "ISBN, ISIN and BIC"},
    examples=[
        Example("A book", {"code": "978-3-8362-2119-1"}),
        Example("A wrong and a missing check digit", {"values": ["4006381333932", "400638133393"], "kind": "ean13"}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "ean", "kind": "gtin"}),
        Example("A GS1 element string", {"code": "(01)04006381333931(17)260531(10)A42", "kind": "gs1"}),
    ],
)
async def validate_code(request: ValidateCodeRequest) -> CodeValidation:
    """Check codes: EAN, ISBN, GS1, payment cards, IMEI, ISIN, LEI, BIC, containers, vehicles, ORCID and others.

    `auto` finds all kinds that fit. A wrong or missing check digit gets the expected one, and a suggestion. A GS1
    element string is split into its elements, with dates and amounts. Numbers of payment cards are masked in
    `normalized`. Nothing is sent over the network: whether the code was assigned is not known.

    Raises:
        InvalidInput: There is no value, or the table cannot be read.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    return await validate(request, check, request.options, CodeValidation)
