"""The tool `validate_code`, its request and its result."""

from typing import Annotated, ClassVar

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core import meta_schemas
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.result import ValidationResult, ValueResult
from mediakit.engines.validation.service import ValueField, ValuesRequest, validate
from mediakit.engines.validation.values import adapt_values
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_code.check import check
from mediakit.tools.validation.validate_code.schemes import CodeKind, CodeOptions


@request
class ValidateCodeRequest(ValuesRequest):
    """Codes to check."""

    value_field: ClassVar[str] = "code"

    code: ValueField | None = None
    """Code of at most 1000 characters, or one per line; in Python also a column. Spaces and hyphens are accepted."""
    kind: Annotated[
        CodeKind, Synonyms("type, format, standard", {"card": "credit card, visa, mastercard", "bic": "swift"})
    ] = "auto"
    """Kind of code; `auto` finds all kinds that fit. `gtin` is any of `ean8`, `upce`, `upca`, `ean13` and `itf14`."""

    @property
    def options(self) -> CodeOptions:
        """How the codes are checked."""
        return CodeOptions(self.kind)


class OtherFormats(TypedDict, total=False):
    """The same number in other formats."""

    isbn10: str
    isbn13: str
    upca: str
    ean8: str
    ean13: str
    gtin14: str


class Element(TypedDict):
    """An element of a GS1 element string."""

    ai: Annotated[str, Field(examples=["17"])]
    """Application identifier."""
    name: Annotated[str, Field(examples=["Expiration date (YYMMDD)"])]
    value: Annotated[str, Field(examples=["260531"])]
    date: Annotated[str | None, Field(examples=["2026-05-31"])]
    """ISO 8601 date or time."""
    amount: Annotated[int | float | None, Field(examples=[None])]
    """Weight, length, price, ..."""


class CodeVerdict(ValueResult):
    """The verdict on a code."""

    kind: Annotated[str | None, Field(examples=["isbn"])]
    """The likeliest kind."""
    kinds: Annotated[list[str] | None, Field(examples=[["isbn", "ean13", "gln"]])]
    """All kinds that fit, the likeliest first."""
    check_digit: Annotated[str | None, Field(examples=["1"])]
    """The check digits that the code has."""
    expected_check_digit: Annotated[str | None, Field(examples=["1"])]
    """The check digits that it should have."""
    printed: Annotated[str | None, Field(examples=["978-3-8362-2119-1"])]
    """The code as it is printed, with hyphens or spaces."""
    formats: Annotated[OtherFormats | None, Field(examples=[{"isbn10": "3836221195", "ean13": "9783836221191"}])]
    """The same number in other formats."""
    country: Annotated[str | None, Field(examples=["Germany"])]
    """Country of the GS1 office that assigned the number. It is not the country of origin."""
    publisher_prefix: Annotated[str | None, Field(examples=["978-3-8362"])]
    """The part of the number that stands for the publisher or company."""
    elements: Annotated[list[Element] | None, Field(examples=[None])]
    """The elements of a GS1 element string."""
    brand: Annotated[str | None, Field(examples=[None])]
    """Brand of a payment card, such as `visa`."""


class CodeValidation(ValidationResult[CodeVerdict]):
    """The verdicts on codes."""

    _verdict = CodeVerdict


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
