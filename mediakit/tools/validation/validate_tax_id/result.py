"""`TaxIdValidation`: the verdicts on tax numbers."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.engines.validation.result import ValidationResult
from mediakit.tools.validation.validate_tax_id.response_schema import DETAILS


class TaxIdValidation(ValidationResult):
    """The verdicts on tax numbers."""

    details: ClassVar[Mapping[str, Any]] = DETAILS
