"""The tool `validate_phone`, its request and its result."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from importlib.metadata import version
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from mediakit.core import meta_schemas
from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.result import ValidationResult, ValueResult
from mediakit.engines.validation.service import ValueField, ValuesRequest, validate
from mediakit.engines.validation.values import adapt_values
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_phone.check import check
from mediakit.tools.validation.validate_phone.facts import Language, PhoneOptions, PhoneType


def _upper(code: str) -> str:
    if not (len(code) == 2 and code.isascii() and code.isalpha()):
        raise ValueError(f"must be a region code of two letters, such as ES, got {quote(code)}.")
    return code.upper()


RegionCode = Annotated[str, AfterValidator(_upper), Field(json_schema_extra={"minLength": 2, "maxLength": 2})]


@request
class ValidatePhoneRequest(ValuesRequest):
    """Phone numbers to check."""

    value_field: ClassVar[str] = "phone"

    phone: ValueField | None = None
    """Phone number of at most 1000 characters, or one per line; in Python also a column. Spaces, brackets, letters,
    extensions, digits of any script, and `00` in place of `+` are accepted."""
    _: KW_ONLY
    region: Annotated[RegionCode | None, Synonyms("country, country_code, default_region")] = None
    """ISO 3166 code of the region of numbers that do not begin with `+`; two letters, such as ES."""
    types: Annotated[Sequence[PhoneType], Field(min_length=1, max_length=11)] | None = None
    """Types that count as valid, such as `mobile`; unset: all."""
    lang: Language = "en"
    """Language of the names of places: `en` or `es`."""

    @property
    def options(self) -> PhoneOptions:
        """How the numbers are checked."""
        return PhoneOptions(self.region, tuple(self.types or ()), self.lang)


class PhoneVerdict(ValueResult):
    """The verdict on a phone number."""

    e164: Annotated[str | None, Field(examples=["+34912345678"])]
    """The number as E.164, without extension."""
    international: Annotated[str | None, Field(examples=["+34 912 34 56 78"])]
    """As dialed from other countries."""
    national: Annotated[str | None, Field(examples=["912 34 56 78"])]
    """As dialed in its country."""
    rfc3966: Annotated[str | None, Field(examples=["tel:+34-912-34-56-78"])]
    """As an address for links."""
    extension: Annotated[str | None, Field(examples=[None])]
    """Digits of the extension."""
    country_code: Annotated[int | None, Field(examples=[34])]
    """Country calling code."""
    region: Annotated[str | None, Field(examples=["ES"])]
    """ISO 3166 code of the region of the number; null for numbers of no region, such as +800."""
    region_name: Annotated[str | None, Field(examples=["Spain"])]
    """Name of the region."""
    type: Annotated[PhoneType | None, Field(examples=["fixed_line"])]
    """Type of the number."""
    possible: Annotated[bool | None, Field(examples=[True])]
    """Whether the number has a length that numbers of its country have."""
    location: Annotated[str | None, Field(examples=["Madrid"])]
    """City or area of a fixed line."""
    carrier: Annotated[str | None, Field(examples=[None])]
    """Carrier that the number was assigned to; null where numbers can move to another carrier."""
    time_zones: Annotated[list[str] | None, Field(examples=[["Europe/Madrid"]])]
    """Names of the time zones of the place, or of the whole country."""
    emergency: Annotated[bool | None, Field(examples=[False])]
    """Whether it is an emergency number; these are short and not valid as phone numbers."""
    region_differs: Annotated[bool | None, Field(examples=[False])]
    """Whether the number is of another region than `region`."""


class PhoneValidation(ValidationResult[PhoneVerdict]):
    """The verdicts on phone numbers."""

    _verdict = PhoneVerdict


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
