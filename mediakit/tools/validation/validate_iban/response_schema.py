"""JSON Schema of what the results of `validate_iban` add."""

from collections.abc import Mapping
from typing import Any

from mediakit.engines.validation.response_schema import boolean, text, texts

DETAILS: Mapping[str, Any] = {
    "printed": text("In groups of four characters.", "DE89 3704 0044 0532 0130 00"),
    "country": text("ISO 3166 code of the country.", "DE"),
    "country_name": text("English name of the country.", "Germany"),
    "sepa": boolean("Whether the country is in the Single Euro Payments Area.", example=True),
    "check_digits": text("The third and fourth character.", "89"),
    "bban": text("The national account number: all after the check digits.", "370400440532013000"),
    "bank_code": text("National code of the bank.", "37040044"),
    "branch_code": text("National code of the branch, in countries that have one."),
    "account_number": text("National number of the account.", "0532013000"),
    "national_check": text(
        "Result of the check digits inside the BBAN; unknown where there are none, or their rule is not known.",
        "ok",
        "ok",
        "wrong",
        "unknown",
    ),
    "bank_name": text("Name of the bank; null if the registry does not have it.", "Commerzbank"),
    "bic": text("BIC of the bank; null if the registry does not have it.", "COBADEFFXXX"),
    "bics": texts("All BICs that the registry has for the bank code.", "COBADEFFXXX"),
}
