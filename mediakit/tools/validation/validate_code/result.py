"""`CodeValidation`: the verdicts on codes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.engines.validation.result import ValidationResult
from mediakit.tools.validation.validate_code.response_schema import DETAILS


class CodeValidation(ValidationResult):
    """The verdicts on codes."""

    details: ClassVar[Mapping[str, Any]] = DETAILS
