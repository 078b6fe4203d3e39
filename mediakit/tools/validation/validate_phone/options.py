"""`PhoneOptions` and the words of the result."""

from dataclasses import dataclass
from typing import Literal

PhoneType = Literal[
    "mobile",
    "fixed_line",
    "fixed_line_or_mobile",
    "toll_free",
    "premium_rate",
    "shared_cost",
    "voip",
    "personal_number",
    "pager",
    "uan",
    "unknown",
]
PhoneCode = Literal[
    "empty",
    "no_region",
    "not_a_number",
    "too_short",
    "too_long",
    "unknown_country",
    "not_in_use",
    "wrong_type",
    "short_number",
]
Language = Literal["en", "es"]


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """How phone numbers are validated."""

    region: str | None = None
    """ISO 3166 code of the region of numbers without `+`."""
    types: tuple[str, ...] = ()
    """The types that count as valid; empty for all."""
    lang: Language = "en"
    """Language of the names of places."""
