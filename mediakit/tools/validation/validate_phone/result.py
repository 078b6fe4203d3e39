"""`PhoneValidation`: the verdicts on phone numbers."""

from typing import Annotated

from pydantic import Field

from mediakit.engines.validation.result import ValidationResult, ValueResult
from mediakit.tools.validation.validate_phone.options import PhoneType


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
