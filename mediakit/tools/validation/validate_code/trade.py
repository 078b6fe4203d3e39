"""GTIN and the other numbers of GS1."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from mediakit.tools.validation.validate_code import check_digits
from mediakit.tools.validation.validate_code.finding import Finding, wrong
from mediakit.tools.validation.validate_code.options import CodeProblem
from mediakit.tools.validation.validate_code.schemes import (
    EAN8,
    EAN13,
    GLN,
    ITF14,
    LOST_ZERO,
    SSCC,
    UPCA,
    Scheme,
    checked,
    compact,
    examine,
)

_BY_LENGTH = {7: EAN8, 8: EAN8, 10: UPCA, 11: UPCA, 12: UPCA, 13: EAN13, 14: ITF14}
_UPCE_DIGITS = (6, 7, 8)
_COUNTRIES = {"US": "United States", "UK": "United Kingdom"}


def gtin(text: str) -> Finding:
    """Return whether a code is an EAN-8, UPC-E, UPC-A, EAN-13 or ITF-14, by its length."""
    number = compact(text)
    scheme = _BY_LENGTH.get(len(number))
    if scheme is None:
        problem: CodeProblem = "length" if number.isdecimal() else "characters"
        return wrong("gtin", number, problem, f"A GTIN has 8, 12, 13 or 14 digits, got {len(number)} characters.")
    found = of_scheme(text, scheme)
    if not found.is_valid and len(number) == 8:
        compressed = upce(text)
        return compressed if compressed.is_valid else found
    return found


def of_scheme(text: str, scheme: Scheme) -> Finding:
    """Return whether a code is a number of GS1 of one length."""
    found = examine(compact(text), scheme)
    return replace(found, fields=_fields(found)) if found.is_valid else found


def ean8(text: str) -> Finding:
    """Return whether a code is an EAN-8."""
    return of_scheme(text, EAN8)


def ean13(text: str) -> Finding:
    """Return whether a code is an EAN-13."""
    return of_scheme(text, EAN13)


def upca(text: str) -> Finding:
    """Return whether a code is a UPC-A."""
    return of_scheme(text, UPCA)


def itf14(text: str) -> Finding:
    """Return whether a code is an ITF-14 (GTIN-14)."""
    return of_scheme(text, ITF14)


def sscc(text: str) -> Finding:
    """Return whether a code is an SSCC, the number of a logistic unit."""
    return of_scheme(text, SSCC)


def gln(text: str) -> Finding:
    """Return whether a code is a GLN, the number of a location."""
    return of_scheme(text, GLN)


def upce(text: str) -> Finding:
    """Return whether a code is a UPC-E: the number system 0 or 1, 6 digits, and the check digit of its UPC-A."""
    number = compact(text)
    if not number.isascii() or not number.isdecimal():
        return wrong("upce", number, "characters", "A UPC-E has only digits.")
    if len(number) not in _UPCE_DIGITS:
        return wrong("upce", number, "length", f"A UPC-E has 8 digits, got {len(number)}.")
    body = f"0{number}" if len(number) == 6 else number[:7]
    if body[0] not in "01":
        return wrong("upce", number, "prefix", "A UPC-E begins with 0 or 1.")
    upca_payload = expanded(body)
    expected = check_digits.gs1(upca_payload)
    if len(number) < 8:
        reason, suggestion = f"The check digit is missing: it is {expected}.", body + expected
        if number[0] == "1" and len(number) == 7 and upce(f"0{number}").is_valid:
            reason, suggestion = LOST_ZERO, f"0{number}"
        return Finding("upce", number, "length", reason, expected=expected, suggestion=suggestion)
    found = checked("upce", number, number[-1], expected, body + expected)
    if not found.is_valid:
        return found
    upca_number = upca_payload + expected
    return replace(found, fields={**_fields(replace(found, kind="upca", number=upca_number)), "printed": number})


def expanded(body: str) -> str:
    """Return the 11 digits of a UPC-A without check digit for the 7 digits of a UPC-E."""
    system, digits, last = body[0], body[1:6], body[6]
    if last in "012":
        return f"{system}{digits[:2]}{last}0000{digits[2:]}"
    if last == "3":
        return f"{system}{digits[:3]}00000{digits[3:]}"
    if last == "4":
        return f"{system}{digits[:4]}00000{digits[4]}"
    return f"{system}{digits}0000{last}"


def formats_of(number: str) -> dict[str, str]:
    """Return the same GTIN in each format that can hold it."""
    found = {"gtin14": number.zfill(14)}
    if len(number) <= 13:
        found = {"ean13": number.zfill(13), **found}
    if len(number) <= 12 or (len(number) == 13 and number[0] == "0"):
        found = {"upca": number[-12:].zfill(12), **found}
    return found


@lru_cache(maxsize=4096)
def issuer_of(number: str) -> tuple[str | None, str | None]:
    """Return the country of the GS1 office that assigned a number, and the prefix of the company, as far as known."""
    from biip.gs1_prefixes import GS1CompanyPrefix, GS1Prefix

    prefix = GS1Prefix.extract(number)
    company = GS1CompanyPrefix.extract(number)
    office = prefix.usage if prefix else ""
    country = office.removeprefix("GS1 ") if office.startswith("GS1 ") else None
    return _COUNTRIES.get(country or "", country), company.value if company else None


def _fields(found: Finding) -> dict[str, Any]:
    """Return the further fields of a valid number of GS1."""
    number = found.number
    if found.kind == "ean8":
        country, company = issuer_of(number)
        return {"formats": {"ean8": number, "gtin14": number.zfill(14)}, "country": country}
    start = {"upca": f"0{number}", "itf14": number[1:], "sscc": number[1:]}.get(found.kind, number)
    country, company = issuer_of(start)
    fields: dict[str, Any] = {"country": country, "publisher_prefix": company}
    if found.kind not in ("sscc", "gln"):
        fields["formats"] = formats_of(number)
    return fields
