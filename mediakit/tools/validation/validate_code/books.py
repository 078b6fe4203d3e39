"""ISBN, ISSN and ISMN."""

from dataclasses import replace
from typing import Any

from mediakit.tools.validation.validate_code import check_digits
from mediakit.tools.validation.validate_code.finding import Finding
from mediakit.tools.validation.validate_code.schemes import ISBN10, ISBN13, ISMN10, ISMN13, ISSN, compact, examine

_SBN_LENGTH = 9


def isbn(text: str) -> Finding:
    """Return whether a code is an ISBN (ISO 2108) of 10 or 13 characters, or an SBN of 9."""
    number = compact(text).removeprefix("ISBN").removeprefix(":")
    if number.startswith(("13:", "10:")):
        number = number[3:]
    scheme = ISBN13 if len(number) >= 12 else ISBN10
    found = examine(number, scheme)
    if not found.is_valid and len(number) == _SBN_LENGTH:
        older = examine(f"0{number}", ISBN10)
        found = older if older.is_valid else found
    if not found.is_valid:
        return found
    return replace(found, fields=_isbn_fields(found.number))


def issn(text: str) -> Finding:
    """Return whether a code is an ISSN (ISO 3297)."""
    number = compact(text).removeprefix("ISSN").removeprefix(":")
    found = examine(number, ISSN)
    if not found.is_valid:
        return found
    payload = f"977{found.number[:7]}00"
    ean13 = payload + check_digits.gs1(payload)
    fields = {"printed": f"{found.number[:4]}-{found.number[4:]}", "formats": {"ean13": ean13, "gtin14": f"0{ean13}"}}
    return replace(found, fields=fields)


def ismn(text: str) -> Finding:
    """Return whether a code is an ISMN (ISO 10957): 9790 or M, 8 digits and a check digit."""
    number = compact(text).removeprefix("ISMN").removeprefix(":").replace(".", "")
    found = examine(number, ISMN10 if number.startswith("M") else ISMN13)
    if not found.is_valid:
        return found
    ean13 = found.number.replace("M", "9790")
    return replace(found, fields={"printed": _ismn_printed(ean13), "formats": {"ean13": ean13, "gtin14": f"0{ean13}"}})


def _isbn_fields(number: str) -> dict[str, Any]:
    payload = number[:-1] if len(number) == 13 else f"978{number[:-1]}"
    long = payload + check_digits.gs1(payload)
    formats = {"isbn13": long, "ean13": long, "gtin14": f"0{long}"}
    if payload.startswith("978"):
        formats = {"isbn10": payload[3:] + check_digits.isbn10(payload[3:]), **formats}
    parts = _parts(payload)
    if parts is None:
        return {"formats": formats, "printed": number}
    short = parts[1:] if len(number) == 10 else parts
    printed = "-".join((*short, number[-1]))
    return {"formats": formats, "printed": printed, "publisher_prefix": "-".join(parts[:3])}


def _parts(payload: str) -> tuple[str, ...] | None:
    """Return prefix, group, publisher and title of an ISBN; None where no publisher has been assigned."""
    from stdnum import numdb

    parts = tuple(numdb.get("isbn").split(payload))
    return parts if len(parts) == 4 and all(parts) else None


def _ismn_printed(ean13: str) -> str:
    """Return an ISMN with hyphens: the first digit of the publisher decides on the length of its number."""
    digits = ean13[4:12]
    length = {"0": 3, "1": 4, "2": 4, "3": 4, "4": 5, "5": 5, "6": 5, "7": 6, "8": 6, "9": 7}[digits[0]]
    return f"979-0-{digits[:length]}-{digits[length:]}-{ean13[-1]}"
