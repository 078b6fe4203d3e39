"""The `validate_iban` tool."""

from mediakit.tools.validation.validate_iban.tool import validate_iban

__all__ = ["validate_iban"]
