"""The request of `validate_code`."""

from typing import Annotated, ClassVar

from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.validation.request import ValueField, ValuesRequest
from mediakit.tools.validation.validate_code.options import CodeKind, CodeOptions


@request
class ValidateCodeRequest(ValuesRequest):
    """Codes to check."""

    value_field: ClassVar[str] = "code"

    code: ValueField | None = None
    """Code of at most 1000 characters, or one per line; in Python also a column. Spaces and hyphens are accepted."""
    kind: Annotated[
        CodeKind, Synonyms("type, format, standard", {"card": "credit card, visa, mastercard", "bic": "swift"})
    ] = "auto"
    """Kind of code; `auto` finds all kinds that fit. `gtin` is any of `ean8`, `upce`, `upca`, `ean13` and `itf14`."""

    @property
    def options(self) -> CodeOptions:
        """How the codes are checked."""
        return CodeOptions(self.kind)
