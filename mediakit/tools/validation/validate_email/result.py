"""`EmailValidation`: the verdicts on email addresses."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.engines.validation.result import ValidationResult
from mediakit.tools.validation.validate_email.response_schema import DETAILS


class EmailValidation(ValidationResult):
    """The verdicts on email addresses."""

    details: ClassVar[Mapping[str, Any]] = DETAILS
