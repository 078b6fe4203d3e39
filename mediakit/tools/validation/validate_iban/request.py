"""The request of `validate_iban`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from mediakit.core.request import request
from mediakit.engines.validation.request import ValueField, ValuesRequest

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
