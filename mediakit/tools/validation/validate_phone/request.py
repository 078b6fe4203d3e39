"""The request of `validate_phone`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.validation.request import ValueField, ValuesRequest
from mediakit.tools.validation.validate_phone.options import Language, PhoneOptions, PhoneType


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
