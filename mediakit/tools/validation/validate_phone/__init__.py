"""The tool `validate_phone`: validation of phone numbers."""

from mediakit.tools.validation.validate_phone.tool import validate_phone as validate_phone
