"""What is wrong with a number."""

from mediakit.tools.validation.validate_tax_id.options import TaxIdCode

SEVERITY: tuple[TaxIdCode, ...] = ("checksum", "component", "length", "format")
"""What is wrong, from the numbers that are almost valid to those that look like another kind."""


class NumberError(ValueError):
    """A number is not valid."""

    def __init__(self, code: TaxIdCode) -> None:
        super().__init__(code)
        self.code = code
