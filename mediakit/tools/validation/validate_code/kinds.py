"""The kinds of codes, in the order of their likelihood."""

import re
from collections.abc import Callable, Mapping

from mediakit.tools.validation.validate_code import books, devices, finance, gs1, identifiers, trade
from mediakit.tools.validation.validate_code.finding import Finding

Examine = Callable[[str], Finding]

KINDS: Mapping[str, Examine] = {
    "doi": identifiers.doi,
    "uuid": identifiers.uuid,
    "isbn": books.isbn,
    "ismn": books.ismn,
    "lei": finance.lei,
    "figi": finance.figi,
    "isin": finance.isin,
    "container": devices.container,
    "vin": devices.vin,
    "orcid": identifiers.orcid,
    "card": finance.card,
    "imei": devices.imei,
    "ean13": trade.ean13,
    "upca": trade.upca,
    "ean8": trade.ean8,
    "itf14": trade.itf14,
    "issn": books.issn,
    "sscc": trade.sscc,
    "upce": trade.upce,
    "gs1": gs1.gs1,
    "isni": identifiers.isni,
    "bic": finance.bic,
    "cusip": finance.cusip,
    "sedol": finance.sedol,
    "gln": trade.gln,
    "luhn": finance.luhn,
}
"""What examines a code by each kind; the order is that of `auto`."""

BY_NAME: Mapping[str, Examine] = {**KINDS, "gtin": trade.gtin}
"""The kinds that can be requested."""

EXPLAINING = (
    "isbn",
    "ismn",
    "card",
    "ean13",
    "upca",
    "itf14",
    "sscc",
    "ean8",
    "issn",
    "imei",
    "isin",
    "lei",
    "container",
    "vin",
    "orcid",
)
"""Kinds that explain what is wrong with a code that is of no kind, the likeliest first."""


def is_likely(value: str, found: Finding) -> bool:
    """Return whether a valid code is likely to be meant as one of the kind, and not only by chance.

    Args:
        value: The code, as written.
        found: What the kind says of it.
    """
    rule = _LIKELY.get(found.kind)
    return rule is None or rule(value, found)


def is_possible(found: Finding) -> bool:
    """Return whether a valid code may be of a kind that is not likely: its check digit, or its beginning, says so."""
    if found.kind == "card":
        return not _is_slip_of_ean(found.number)
    return found.kind == "imei" or (found.kind == "vin" and found.check_digit is not None)


def _is_slip_of_ean(number: str) -> bool:
    """Return whether a number is an EAN-13 of a company whose check digit is one off, and not a card by its look.

    One in ten such numbers ends with a digit of Luhn. Cards of 13 digits are rare, but numbers for tests, which have
    runs of one digit.
    """
    found = trade.ean13(number)
    if found.check_digit is None or found.expected is None or re.search(r"(\d)\1{4}", number):
        return False
    return abs(int(found.check_digit) - int(found.expected)) == 1 and trade.issuer_of(number)[1] is not None


def _is_likely_card(_value: str, found: Finding) -> bool:
    brand_by_length = {14: "diners", 15: "amex"}
    length = len(found.number)
    return length >= 16 or brand_by_length.get(length) == found.fields.get("brand")


_LIKELY: Mapping[str, Callable[[str, Finding], bool]] = {
    "card": _is_likely_card,
    "imei": lambda _, found: len(found.number) == 15,
    "gs1": lambda value, _: gs1.begins_with_gtin_or_sscc(value),
    "vin": lambda _, found: not found.number.isdecimal(),
    "bic": lambda value, _: value.isupper(),
    "luhn": lambda _, found: 6 <= len(found.number) <= 40,
}
