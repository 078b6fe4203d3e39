"""`TaxIdOptions` and the words of the result."""

from dataclasses import dataclass
from typing import Literal

Holder = Literal["person", "company", "unknown"]
TaxIdCode = Literal["empty", "unknown_country", "unknown_kind", "length", "format", "checksum", "component"]
Language = Literal["en", "es"]


@dataclass(frozen=True, slots=True)
class TaxIdOptions:
    """How tax numbers are validated."""

    country: str | None = None
    """ISO 3166 code of the country, EU for any member state; None to read it from the VAT prefix."""
    kind: str | None = None
    """The kind of number; None for any kind of the country."""
    lang: Language = "en"
    """Language of the names of kinds."""
    is_single: bool = False
    """Whether there is one value: then a missing country is an error of the request."""
