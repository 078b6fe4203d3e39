"""The tool `validate_tax_id`: validation of tax, identity and company numbers."""

from mediakit.tools.validation.validate_tax_id.tool import validate_tax_id as validate_tax_id
