"""`IbanValidation`: the verdicts on IBANs."""

from typing import Annotated, Literal

from pydantic import Field

from mediakit.engines.validation.result import ValidationResult, ValueResult


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
