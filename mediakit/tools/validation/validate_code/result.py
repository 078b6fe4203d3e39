"""`CodeValidation`: the verdicts on codes."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.engines.validation.result import ValidationResult, ValueResult


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
