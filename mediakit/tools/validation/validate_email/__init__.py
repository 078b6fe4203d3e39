"""The `validate_email` tool."""

from mediakit.tools.validation.validate_email.tool import validate_email

__all__ = ["validate_email"]
