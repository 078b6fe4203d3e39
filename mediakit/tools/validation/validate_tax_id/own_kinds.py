"""Kinds of numbers that python-stdnum does not have, and rules that it does not apply.

Each validator takes the number without separators, in upper case, and returns its normal form.
"""

import re
from collections.abc import Callable
from datetime import date

from mediakit.tools.validation.validate_tax_id.problems import NumberError

_FIRST_YEAR_OF_TEN_DIGITS = 54
_LAST_MALTESE_NUMBER = 32000


def ico(number: str) -> str:
    """Return a Czech or Slovak organization number: 8 digits, the last one by weights 8 to 2 modulo 11."""
    _digits(number, 8)
    total = sum(weight * int(digit) for weight, digit in zip(range(8, 1, -1), number[:7], strict=True))
    return _checked(number, (11 - total % 11) % 10)


def oman_vat(number: str) -> str:
    """Return a VAT number of Oman: OM and 10 digits, the last 8 by ISO/IEC 7064 modulo 11-2."""
    digits = number.removeprefix("OM")
    _digits(digits, 10)
    if digits[0] != "1":
        raise NumberError("component")
    total = 0
    for digit in digits[2:9]:
        total = (total + int(digit)) * 2
    return f"OM{_checked(digits, (12 - total % 11) % 11)}"


def hungarian_person(number: str) -> str:
    """Return a personal tax number of Hungary: 8 and 9 digits, the last one by weights 1 to 9 modulo 11."""
    _digits(number, 10)
    if number[0] != "8":
        raise NumberError("format")
    total = sum(place * int(digit) for place, digit in enumerate(number[:9], 1))
    return _checked(number, total % 11)


def maltese_tax_number(number: str) -> str:
    """Return a tax number of Malta, which has no check digit.

    It is up to 7 digits and a letter, or for foreigners 9 digits of which the first two are equal. The 7 digits are a
    running number up to 32000 and a year, but for numbers with A and P.
    """
    if re.fullmatch(r"([1-8])\1[0-9]{7}", number):
        return number
    if not re.fullmatch(r"[0-9]{3,7}[MGAPLHBZ]", number):
        raise NumberError("format")
    number = number.zfill(8)
    if number[-1] not in "AP" and int(number[:5]) > _LAST_MALTESE_NUMBER:
        raise NumberError("component")
    return number


def luxembourg_person(number: str) -> str:
    """Return a national number of Luxembourg: birth date, 3 digits, a Luhn digit and a Verhoeff digit."""
    from stdnum import luhn, verhoeff

    _digits(number, 13)
    _date(int(number[:4]), int(number[4:6]), int(number[6:8]))
    if not luhn.is_valid(number[:12]) or not verhoeff.is_valid(number[:11] + number[12]):
        raise NumberError("checksum")
    return number


def taiwanese_business(number: str) -> str:
    """Return a business number of Taiwan: the digit sum of 8 products is a multiple of 5 since 2023, of 10 before."""
    _digits(number, 8)
    products = [int(digit) * weight for digit, weight in zip(number, (1, 2, 1, 2, 1, 2, 4, 1), strict=True)]
    total = sum(product // 10 + product % 10 for product in products)
    if total % 5 and not (number[6] == "7" and (total + 1) % 5 == 0):
        raise NumberError("checksum")
    return number


def british_insurance_number(number: str) -> str:
    """Return a National Insurance number: two letters, 6 digits and A to D. It has no check digit."""
    if not re.fullmatch(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D]?", number):
        raise NumberError("format")
    if number[:2] in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ"):
        raise NumberError("component")
    return number


OWN: dict[str, Callable[[str], str]] = {
    "CZ.ico": ico,
    "SK.ico": ico,
    "OM.vat": oman_vat,
    "HU.adoazonosito": hungarian_person,
    "MT.tin": maltese_tax_number,
    "LU.matricule": luxembourg_person,
    "TW.ubn": taiwanese_business,
    "GB.nino": british_insurance_number,
}
"""Validators by country and kind."""


def check_birth_number(number: str) -> None:
    """Raise if a Czech or Slovak birth number of 9 digits has the serial number 000."""
    if len(number) == 9 and number.endswith("000"):
        raise NumberError("component")


def is_of_19th_century(number: str) -> bool:
    """Return whether a Czech or Slovak birth number, by its 9 digits and year, is of a person born before 1900."""
    return len(number) == 9 and number[0] != "6" and int(number[:2]) >= _FIRST_YEAR_OF_TEN_DIGITS


UNLIKELY: dict[str, Callable[[str], bool]] = {
    "CZ.rc": is_of_19th_century,
    "SK.rc": is_of_19th_century,
    "CZ.dic": is_of_19th_century,
}
"""Whether a number is of a kind only if that kind is requested, by country and kind."""


def check_company_letter(number: str) -> None:
    """Raise if the control character of a Spanish company number is of the wrong sort for its first letter."""
    if (number[0] in "ABEH" and not number[-1].isdecimal()) or (number[0] in "PQSW" and number[-1].isdecimal()):
        raise NumberError("checksum")


FURTHER: dict[str, Callable[[str], None]] = {
    "CZ.rc": check_birth_number,
    "SK.rc": check_birth_number,
    "CZ.dic": lambda number: None if number.startswith("6") else check_birth_number(number),
    "ES.cif": check_company_letter,
    "ES.nif": check_company_letter,
}
"""Rules that a number which python-stdnum takes has to follow as well, by country and kind."""


def _digits(number: str, count: int) -> None:
    if not re.fullmatch(r"[0-9]*", number):
        raise NumberError("format")
    if len(number) != count:
        raise NumberError("length")


def _checked(number: str, expected: int) -> str:
    if number[-1] != str(expected):
        raise NumberError("checksum")
    return number


def _date(year: int, month: int, day: int) -> None:
    try:
        date(year, month, day)
    except ValueError:
        raise NumberError("component") from None
