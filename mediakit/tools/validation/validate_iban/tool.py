"""The tool `validate_iban`, its request and its result."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from mediakit.core import meta_schemas
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.engines.validation.result import ValidationResult, ValueResult
from mediakit.engines.validation.service import ValueField, ValuesRequest, validate
from mediakit.engines.validation.values import adapt_values
from mediakit.errors import NotConvertible
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_iban.check import check

MAX_COUNTRIES = 100


def _upper(code: str) -> str:
    if not (len(code) == 2 and code.isascii() and code.isalpha()):
        raise ValueError(f"must be a country code of two letters, got {code[:40]!r}.")
    return code.upper()


CountryCode = Annotated[str, AfterValidator(_upper), Field(json_schema_extra={"minLength": 2, "maxLength": 2})]


@request
class ValidateIbanRequest(ValuesRequest):
    """Account numbers to check."""

    value_field: ClassVar[str] = "iban"

    iban: ValueField | None = None
    """IBAN of at most 1000 characters, or one per line; in Python also a column. Spaces, dashes, lower case and the
    word IBAN before it are accepted."""
    _: KW_ONLY
    countries: Annotated[Sequence[CountryCode], Field(min_length=1, max_length=MAX_COUNTRIES)] | None = None
    """Countries whose IBANs count as valid, by their two-letter codes; unset: all."""

    @property
    def country_codes(self) -> Sequence[str] | None:
        """The countries that count as valid; None for all."""
        return None if self.countries is None else tuple(self.countries)


class IbanVerdict(ValueResult):
    """The verdict on an IBAN."""

    printed: Annotated[str | None, Field(examples=["DE89 3704 0044 0532 0130 00"])]
    """In groups of four characters."""
    country: Annotated[str | None, Field(examples=["DE"])]
    """ISO 3166 code of the country."""
    country_name: Annotated[str | None, Field(examples=["Germany"])]
    """English name of the country."""
    sepa: Annotated[bool | None, Field(examples=[True])]
    """Whether the country is in the Single Euro Payments Area."""
    check_digits: Annotated[str | None, Field(examples=["89"])]
    """The third and fourth character."""
    bban: Annotated[str | None, Field(examples=["370400440532013000"])]
    """The national account number: all after the check digits."""
    bank_code: Annotated[str | None, Field(examples=["37040044"])]
    """National code of the bank."""
    branch_code: Annotated[str | None, Field(examples=[None])]
    """National code of the branch, in countries that have one."""
    account_number: Annotated[str | None, Field(examples=["0532013000"])]
    """National number of the account."""
    national_check: Annotated[Literal["ok", "wrong", "unknown"] | None, Field(examples=["ok"])]
    """Result of the check digits inside the BBAN; unknown where there are none, or their rule is not known."""
    bank_name: Annotated[str | None, Field(examples=["Commerzbank"])]
    """Name of the bank; null if the registry does not have it."""
    bic: Annotated[str | None, Field(examples=["COBADEFFXXX"])]
    """BIC of the bank; null if the registry does not have it."""
    bics: Annotated[list[str] | None, Field(examples=[["COBADEFFXXX"]])]
    """All BICs that the registry has for the bank code."""


class IbanValidation(ValidationResult[IbanVerdict]):
    """The verdicts on IBANs."""

    _verdict = IbanVerdict


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
