"""`IbanValidation`: the verdicts on IBANs."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.engines.validation.result import ValidationResult
from mediakit.tools.validation.validate_iban.response_schema import DETAILS


class IbanValidation(ValidationResult):
    """The verdicts on IBANs."""

    details: ClassVar[Mapping[str, Any]] = DETAILS
