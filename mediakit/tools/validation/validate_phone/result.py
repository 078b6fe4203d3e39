"""`PhoneValidation`: the verdicts on phone numbers."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.engines.validation.result import ValidationResult
from mediakit.tools.validation.validate_phone.response_schema import DETAILS


class PhoneValidation(ValidationResult):
    """The verdicts on phone numbers."""

    details: ClassVar[Mapping[str, Any]] = DETAILS

    @property
    def extension(self) -> str | None:  # type: ignore[override]  # that of the file is file_extension
        """Digits of the extension of the only number; None if it has none."""
        if not self.is_single:
            raise AttributeError(f"This result has {self.count} values; use .results[0].extension or .to_frame().")
        found: str | None = self.results[0].extension
        return found
