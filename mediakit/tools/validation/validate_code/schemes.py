"""Codes that are a payload and check digits at its end, and what is found out about a code."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Literal, cast

CodeKind = Literal[
    "auto", "gtin", "ean8", "ean13", "upca", "upce", "itf14", "isbn", "issn", "ismn", "sscc", "gln", "gs1", "card",
    "luhn", "imei", "isin", "cusip", "sedol", "figi", "lei", "bic", "container", "vin", "uuid", "orcid", "isni",
    "doi",
]  # fmt: skip
CodeProblem = Literal["empty", "length", "characters", "checksum", "prefix", "unknown_ai", "bad_date"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one kind says of a code."""

    kind: str
    number: str
    """The code without separators."""
    problem: CodeProblem | None = None
    reason: str | None = None
    check_digit: str | None = None
    """The check digit that the code has."""
    expected: str | None = None
    """The check digit that it should have."""
    suggestion: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    """Further fields of the result."""
    warnings: tuple[str, ...] = ()
    normalized: str | None = None
    """The normal form, if it is not `number`."""

    @property
    def is_valid(self) -> bool:
        """Whether the code is of the kind."""
        return self.problem is None


def wrong(kind: str, number: str, problem: CodeProblem, reason: str) -> Finding:
    """Return the finding on a code that is not of the kind."""
    return Finding(kind, number, problem, reason)


_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


@cache
def _function(name: str) -> Callable[[str], str]:
    """Return a function of python-stdnum, such as `ean.calc_check_digit`."""
    module, _, function = name.rpartition(".")
    return cast("Callable[[str], str]", getattr(import_module(f"stdnum.{module}"), function))


def _by_library(name: str) -> Callable[[str], str]:
    """Return what calculates the check digits of a payload by python-stdnum, which is imported at the first call."""

    def calculate(payload: str) -> str:
        return _function(name)(payload)

    return calculate


gs1 = _by_library("ean.calc_check_digit")
luhn = _by_library("luhn.calc_check_digit")


def isbn10(payload: str) -> str:
    """Return the check character of an ISBN of 10 characters: weights 1 to 9, modulo 11, X for 10."""
    return _or_x(sum(weight * int(digit) for weight, digit in enumerate(payload, 1)) % 11)


def ismn(payload: str) -> str:
    """Return the check digit of an ISMN (ISO 10957), where M counts as 9790."""
    return gs1(payload.replace("M", "9790"))


def vin(number: str) -> str:
    """Return the check character of a vehicle (ISO 3779, 49 CFR 565): weights by place, modulo 11, X for 10."""
    values = (int(each) if each.isdecimal() else _VIN_VALUES[each] for each in number)
    return _or_x(sum(value * weight for value, weight in zip(values, _VIN_WEIGHTS, strict=True)) % 11)


def _or_x(value: int) -> str:
    return "X" if value == 10 else str(value)


LOST_ZERO = "The zero at its beginning is missing, which spreadsheets drop."


@dataclass(frozen=True)
class Scheme:
    """A kind of code, or one of its lengths."""

    kind: str
    title: str
    payload: str
    """A regular expression of the payload."""
    characters: str
    """What the code may consist of, in words."""
    lengths: str
    """The length of the whole code, in words."""
    calculate: Callable[[str], str]
    check: str = "[0-9]"
    """A regular expression of the check digits."""
    prefix: str | None = None
    """A regular expression of the start of valid codes."""
    most_lost_zeros: int = 1
    """Zeros at the beginning that a spreadsheet may have dropped."""

    @cached_property
    def form(self) -> re.Pattern[str]:
        """The payload and the check digits, as groups."""
        return re.compile(f"({self.payload})({self.check})")

    @cached_property
    def digits(self) -> int:
        """How many digits the payload has; 0 if it has other characters, or any number of digits."""
        found = re.fullmatch(r"\[0-9\]\{(\d+)\}", self.payload)
        return int(found[1]) if found else 0


def examine(number: str, scheme: Scheme) -> Finding:
    """Return what a scheme says of a code without separators."""
    if found := scheme.form.fullmatch(number):
        payload = found[1]
        expected = scheme.calculate(payload)
        if scheme.prefix is not None and not re.match(scheme.prefix, number):
            return wrong(scheme.kind, number, "prefix", f"No {scheme.title.split(' ', 1)[-1]} begins in this way.")
        return checked(scheme.kind, number, found[2], expected, payload + expected)
    lost = scheme.digits + 1 - len(number)
    if 0 < lost <= scheme.most_lost_zeros and re.fullmatch(r"[1-9][0-9]*[0-9X]", number):
        padded = "0" * lost + number  # as before a spreadsheet took it for a number
        if examine(padded, scheme).is_valid:
            return Finding(scheme.kind, number, "length", LOST_ZERO, suggestion=padded)
    if re.fullmatch(scheme.payload, number):
        expected = scheme.calculate(number)
        word = "digits are missing: they are" if len(expected) > 1 else "digit is missing: it is"
        reason = f"The check {word} {expected}."
        return Finding(scheme.kind, number, "length", reason, expected=expected, suggestion=number + expected)
    if not re.fullmatch(_ALPHABETS[scheme.characters], number):
        return wrong(scheme.kind, number, "characters", f"{scheme.title} has only {scheme.characters}.")
    return wrong(scheme.kind, number, "length", f"{scheme.title} has {scheme.lengths}, got {len(number)}.")


def checked(kind: str, number: str, check: str, expected: str, suggestion: str) -> Finding:
    """Return the finding on a code by the check digit that it has and the one that it should have."""
    if check == expected:
        return Finding(kind, number, check_digit=check, expected=expected)
    reason = f"The check {'digits are' if len(check) > 1 else 'digit is'} {check}, should be {expected}."
    return Finding(kind, number, "checksum", reason, check, expected, suggestion)


_DIGITS = "digits"
_DIGITS_X = "digits, and an X at the end"
_LETTERS_DIGITS = "letters and digits"
_CONSONANTS = "digits and letters that are not vowels"
_CUSIP = "letters, digits and * @ #"
_ALPHABETS: Mapping[str, str] = {
    _DIGITS: r"[0-9]+",
    _DIGITS_X: r"[0-9]*X?",
    _LETTERS_DIGITS: r"[A-Z0-9]+",
    _CONSONANTS: r"[0-9B-DF-HJ-NP-TV-Z]+",
    _CUSIP: r"[A-Z0-9*@#]+",
}

_CUSIP_DIGIT = _by_library("cusip.calc_check_digit")
_MOD_11_2 = _by_library("iso7064.mod_11_2.calc_check_digit")
EAN8 = Scheme("ean8", "An EAN-8", "[0-9]{7}", _DIGITS, "8 digits", gs1)
UPCA = Scheme("upca", "A UPC-A", "[0-9]{11}", _DIGITS, "12 digits", gs1, most_lost_zeros=2)
EAN13 = Scheme("ean13", "An EAN-13", "[0-9]{12}", _DIGITS, "13 digits", gs1)
ITF14 = Scheme("itf14", "An ITF-14", "[0-9]{13}", _DIGITS, "14 digits", gs1)
SSCC = Scheme("sscc", "An SSCC", "[0-9]{17}", _DIGITS, "18 digits", gs1)
GLN = Scheme("gln", "A GLN", "[0-9]{12}", _DIGITS, "13 digits", gs1)
ISBN10 = Scheme("isbn", "An ISBN", "[0-9]{9}", _DIGITS_X, "10 or 13 digits", isbn10, check="[0-9X]")
ISBN13 = Scheme("isbn", "An ISBN", "[0-9]{12}", _DIGITS_X, "10 or 13 digits", gs1, prefix="978|979[1-9]")
ISSN = Scheme(
    "issn", "An ISSN", "[0-9]{7}", _DIGITS_X, "8 digits", _by_library("issn.calc_check_digit"), check="[0-9X]"
)
ISMN10 = Scheme("ismn", "An ISMN", "M[0-9]{8}", _LETTERS_DIGITS, "13 digits, or M and 9", ismn)
ISMN13 = Scheme("ismn", "An ISMN", "[0-9]{12}", _LETTERS_DIGITS, "13 digits, or M and 9", gs1, prefix="9790")
LUHN = Scheme("luhn", "A number with a Luhn digit", "[0-9]*", _DIGITS, "1 digit or more", luhn)
IMEI = Scheme("imei", "An IMEI", "[0-9]{14}", _DIGITS, "14 to 16 digits", luhn)
ISIN = Scheme(
    "isin",
    "An ISIN",
    "[A-Z]{2}[A-Z0-9]{9}",
    _LETTERS_DIGITS,
    "12 characters, the first two letters",
    _by_library("isin.calc_check_digit"),
)
CUSIP = Scheme("cusip", "A CUSIP", "[A-Z0-9*@#]{8}", _CUSIP, "9 characters", _CUSIP_DIGIT)
SEDOL = Scheme(
    "sedol",
    "A SEDOL",
    "[B-DF-HJ-NP-TV-Z][0-9B-DF-HJ-NP-TV-Z]{5}|[0-9]{6}",
    _CONSONANTS,
    "7 characters",
    _by_library("gb.sedol.calc_check_digit"),
)
FIGI = Scheme(
    "figi",
    "A FIGI",
    "[B-DF-HJ-NP-TV-Z]{2}[0-9B-DF-HJ-NP-TV-Z]{9}",
    _CONSONANTS,
    "12 characters, the first two letters",
    _CUSIP_DIGIT,
    prefix="(?!BS|BM|GG|GB|GH|KY|VG)..G",
)
LEI = Scheme(
    "lei",
    "An LEI",
    "[A-Z0-9]{18}",
    _LETTERS_DIGITS,
    "20 characters",
    _by_library("iso7064.mod_97_10.calc_check_digits"),
    "[0-9]{2}",
)
CONTAINER = Scheme(
    "container",
    "A container number",
    "[A-Z]{3}[UJZR][0-9]{6}",
    _LETTERS_DIGITS,
    "3 letters, one of U, J, Z and R, and 7 digits",
    _by_library("iso6346.calc_check_digit"),
)
ORCID = Scheme(
    "orcid",
    "An ORCID",
    "[0-9]{15}",
    _DIGITS_X,
    "16 digits",
    _MOD_11_2,
    check="[0-9X]",
    prefix="000[09]",
    most_lost_zeros=7,
)
ISNI = Scheme("isni", "An ISNI", "[0-9]{15}", _DIGITS_X, "16 digits", _MOD_11_2, check="[0-9X]")
