"""`TaxIdValidation`: the verdicts on tax numbers."""

from typing import Annotated

from pydantic import Field

from mediakit.engines.validation.result import ValidationResult, ValueResult
from mediakit.tools.validation.validate_tax_id.options import Holder


class TaxIdVerdict(ValueResult):
    """The verdict on a tax number."""

    country: Annotated[str | None, Field(examples=["ES"])]
    """Code of the country."""
    kind: Annotated[str | None, Field(examples=["dni"])]
    """The first kind that fits, or the one that was requested."""
    kinds: Annotated[list[str] | None, Field(examples=[["dni", "nif"]])]
    """All kinds of the country that fit; those without check digit are last."""
    kind_name: Annotated[str | None, Field(examples=["National identity document (DNI)"])]
    """Name of the kind."""
    printed: Annotated[str | None, Field(examples=["12345678Z"])]
    """The number as it is usually written."""
    holder: Annotated[Holder | None, Field(examples=["person"])]
    """Who has such a number, as far as it shows."""
    checked: Annotated[bool | None, Field(examples=[True])]
    """Whether the kind has a check digit; false: only the shape was checked."""


class TaxIdValidation(ValidationResult[TaxIdVerdict]):
    """The verdicts on tax numbers."""

    _verdict = TaxIdVerdict
