"""IMEI, containers and vehicles."""

import re
from dataclasses import replace

from mediakit.tools.validation.validate_code import check_digits
from mediakit.tools.validation.validate_code.finding import Finding, wrong
from mediakit.tools.validation.validate_code.schemes import CONTAINER, IMEI, checked, compact, examine

_VIN_CHECK_PLACE = 8
_REPORTING_BODIES = ("01", "35", "86", "91", "98", "99")
"""First digits of the type allocation codes of devices of the last 20 years (GSMA TS.06)."""
_WITH_CHECK_DIGIT = "12345L"
"""First characters of vehicles from North America and China, whose check digit is required."""


def imei(text: str) -> Finding:
    """Return whether a code is an IMEI of 15 digits, or of 14 or 16 (IMEISV) without check digit."""
    number = compact(text.replace("/", "").replace(".", ""))
    if re.fullmatch(r"[0-9]{14}|[0-9]{16}", number):
        if not number.startswith(_REPORTING_BODIES):
            reason = "No IMEI without check digit begins with the digits of this one."
            return wrong("imei", number, "prefix", reason)
        expected = check_digits.luhn(number) if len(number) == 14 else None
        return Finding("imei", number, expected=expected, fields={"printed": _imei_printed(number)})
    found = examine(number, IMEI)
    return replace(found, fields={"printed": _imei_printed(number)}) if found.is_valid else found


def container(text: str) -> Finding:
    """Return whether a code is the number of a freight container (ISO 6346)."""
    found = examine(compact(text), CONTAINER)
    number = found.number
    return replace(found, fields={"printed": f"{number[:4]} {number[4:10]} {number[10:]}"}) if found.is_valid else found


def vin(text: str) -> Finding:
    """Return whether a code is the number of a vehicle (ISO 3779).

    The check digit is required only in North America and China; a wrong one of another region is a warning.
    """
    number = compact(text)
    if not re.fullmatch(r"[A-HJ-NPR-Z0-9]*", number):
        return wrong("vin", number, "characters", "A VIN has only digits and letters other than I, O and Q.")
    if len(number) != 17:
        return wrong("vin", number, "length", f"A VIN has 17 characters, got {len(number)}.")
    expected, given = check_digits.vin(number), number[_VIN_CHECK_PLACE]
    suggestion = number[:_VIN_CHECK_PLACE] + expected + number[_VIN_CHECK_PLACE + 1 :]
    found = checked("vin", number, given, expected, suggestion)
    if found.is_valid or number[0] in _WITH_CHECK_DIGIT:
        return found
    warning = "The ninth character is not a check digit; vehicles of this region need none."
    return Finding("vin", number, expected=expected, warnings=(warning,))


def _imei_printed(number: str) -> str:
    parts = (number[:2], number[2:8], number[8:14], number[14:])
    return "-".join(part for part in parts if part)
