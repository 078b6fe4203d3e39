"""The tool `validate_phone`."""

from importlib.metadata import version

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.python_values import adapt_values
from mediakit.engines.validation.service import validate
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_phone.check import check
from mediakit.tools.validation.validate_phone.request import ValidatePhoneRequest
from mediakit.tools.validation.validate_phone.result import PhoneValidation

META = {
    "data_version": meta_schemas.text("Version of the numbering plans: the release of phonenumbers.", "9.0.43"),
    "warnings": meta_schemas.texts("What may not be as expected, such as a cell with two numbers."),
}


@tool(
    ValidatePhoneRequest,
    tag="Validation",
    raw={"text/plain": "phone"},
    produces={"json": "application/json"},
    errors=[NotConvertible],
    meta=META,
    adapt=adapt_values("phone"),
    examples=[
        Example("An international number", {"phone": "+34 912 34 56 78"}),
        Example("Numbers of one region", {"values": ["(030) 23125-014", "0151 23456789"], "region": "DE"}),
        Example("A column of a table", {"file": SUPPLIERS, "column": "phone"}),
        Example("Only mobile phones", {"phone": "+34 912 34 56 78", "types": ["mobile"]}),
    ],
)
async def validate_phone(request: ValidatePhoneRequest) -> PhoneValidation:
    """Check phone numbers, format them, and find their type, region and time zone.

    A number without `+` needs a `region`. Extensions, letters (1-800-FLOWERS), digits of any script, `00` in place of
    `+` and `(0)` are read; of two numbers in a cell the first counts. Nothing is sent over the network: whether the
    number is in service is not known.

    Raises:
        InvalidInput: There is no value, the region is not known, or the table cannot be read.
        NotConvertible: Reading the table took longer than 10 seconds.
    """
    meta = {"data_version": version("phonenumbers")}
    return await validate(request, check, request.options, PhoneValidation, meta=meta)
