"""`PhoneValidation`: the verdicts on phone numbers."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.engines.validation.result import ValidationResult
from mediakit.tools.validation.validate_phone.response_schema import DETAILS


class PhoneValidation(ValidationResult):
    """The verdicts on phone numbers."""

    details: ClassVar[Mapping[str, Any]] = DETAILS
