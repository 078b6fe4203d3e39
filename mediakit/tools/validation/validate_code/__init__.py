"""The tool `validate_code`: validation of codes with check digits and of identifiers."""

from mediakit.tools.validation.validate_code.tool import validate_code as validate_code
