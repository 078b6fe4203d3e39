"""The kinds of tax numbers, by country, and what validates each."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from importlib import resources
from typing import Any, Literal

from mediakit.installation import required

Holder = Literal["person", "company", "unknown"]
TaxIdCode = Literal["empty", "unknown_country", "unknown_kind", "length", "format", "checksum", "component"]
Language = Literal["en", "es"]


@dataclass(frozen=True, slots=True)
class TaxIdOptions:
    """How tax numbers are validated."""

    country: str | None = None
    """ISO 3166 code of the country, EU for any member state; None to read it from the VAT prefix."""
    kind: str | None = None
    """The kind of number; None for any kind of the country."""
    lang: Language = "en"
    """Language of the names of kinds."""
    is_single: bool = False
    """Whether there is one value: then a missing country is an error of the request."""


SEVERITY: tuple[TaxIdCode, ...] = ("checksum", "component", "length", "format")
"""What is wrong, from the numbers that are almost valid to those that look like another kind."""


class NumberError(ValueError):
    """A number is not valid."""

    def __init__(self, code: TaxIdCode) -> None:
        super().__init__(code)
        self.code = code


_HOLDERS: dict[str, Holder] = {"p": "person", "c": "company", "-": "unknown"}
_COUNTRY_WORDS = {"EL": "GR", "UK": "GB", "XI": "GB"}


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of number of a country."""

    country: str
    name: str
    holder: Holder
    is_only_by_name: bool
    """Whether the kind is checked only if it is requested: numbers of accounts, addresses and registers."""
    is_checked: bool
    """Whether the kind has a check digit that all its numbers follow."""
    has_certain_prefix: bool
    """Whether the VAT number is written with its prefix in other countries: its prefix is not a part of a number."""
    titles: dict[str, str]
    """The name by language."""
    words: tuple[str, ...]
    """Other words for the kind."""

    @cached_property
    def key(self) -> str:
        """Country and name, such as `ES.nif`."""
        return f"{self.country}.{self.name}"

    @cached_property
    def is_vat(self) -> bool:
        """Whether the number is the VAT number of the country."""
        return "vat" in (self.name, *self.words)


@cache
def registry() -> dict[str, tuple[Kind, ...]]:
    """Return the kinds by country, in the order in which they are tried."""
    found: dict[str, list[Kind]] = {}
    text = resources.files(__package__).joinpath("kinds.tsv").read_text("utf-8")
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        country, name, holder, flags, english, spanish, words = line.split("|")
        titles = {"en": english, "es": spanish}
        kind = Kind(
            country, name, _HOLDERS[holder], "o" in flags, "u" not in flags, "e" in flags, titles, tuple(words.split())
        )
        found.setdefault(country, []).append(kind)
    return {country: tuple(sorted(kinds, key=lambda kind: not kind.is_checked)) for country, kinds in found.items()}


def country_of(word: str) -> str:
    """Return the code of a country in the registry: EL is GR, and UK and XI are GB."""
    return _COUNTRY_WORDS.get(word.upper(), word.upper())


@cache
def kinds_of(country: str) -> tuple[Kind, ...]:
    """Return the kinds of a country that are tried if no kind is requested; those without check digit come last."""
    return tuple(kind for kind in registry()[country] if not kind.is_only_by_name)


def kind_named(country: str, word: str) -> Kind | None:
    """Return the kind with a name or another word for it."""
    wanted = word.lower().replace("-", "_")
    kinds = registry()[country]
    by_name = (kind for kind in kinds if kind.name == wanted)
    return next(by_name, None) or next((kind for kind in kinds if wanted in kind.words), None)


def names_of(country: str) -> list[str]:
    """Return the names of all kinds of a country; `vat` stands before those that must be requested."""
    kinds = registry()[country]
    names = [kind.name.rstrip("_") for kind in kinds if not kind.is_only_by_name]
    if "vat" not in names and any(kind.is_vat for kind in kinds):
        names.append("vat")
    return names + [kind.name for kind in kinds if kind.is_only_by_name]


def holder_of(number: str, kind: Kind) -> Holder:
    """Return who holds a number, as far as the number shows it."""
    if kind.key in _PATTERNS:
        found = re.match(_PATTERNS[kind.key], number)
        return "unknown" if found is None else "person" if found[1] else "company"
    rule = _RULES.get(kind.key)
    return rule(number) if rule else kind.holder


_PATTERNS = {
    "AR.cuit": "(2[0347])|3[034]",
    "BG.vat": "(.{10}$)|.{9}$",
    "CZ.dic": "(.{9,10}$)|.{8}$",
    "LV.pvn": "([012]|3[012])|[459]",
    "MX.rfc": "(.{10}$|.{13}$)|.{9}$|.{12}$",
    "PE.ruc": "(1[057])|20",
    "PT.nif": "([123]|45)|[56789]",
    "RU.inn": "(.{12}$)|.{10}$",
    "VE.rif": "([VEP])|[JGC]",
}
"""Numbers of persons, in a group, and of companies, where other numbers do not show their holder."""

_RULES: dict[str, Callable[[str], Holder]] = {
    "CL.rut": lambda number: "company" if int(number[:-1]) >= 50_000_000 else "person",
    "EC.ruc": lambda number: "company" if number[2] in "69" else "person",
    "ES.nif": lambda number: "person" if number[0].isdecimal() or number[0] in "XYZKLM" else "company",
    "IN.pan": lambda number: "person" if number[3] == "P" else "company",
    "IS.kennitala": lambda number: "company" if number[0] in "4567" else "person",
}


_FIRST_YEAR_OF_TEN_DIGITS = 54
_LAST_MALTESE_NUMBER = 32000


def ico(number: str) -> str:
    """Return a Czech or Slovak organization number, which in Czechia is the VAT number of a company as well."""
    from stdnum.cz import dic

    _digits(number, 8)
    return _checked(number, dic.calc_check_digit_legal(number[:7]))


def oman_vat(number: str) -> str:
    """Return a VAT number of Oman: OM and 10 digits, the last 8 by ISO/IEC 7064 modulo 11-2."""
    from stdnum.iso7064 import mod_11_2

    digits = number.removeprefix("OM")
    _digits(digits, 10)
    if digits[0] != "1":
        raise NumberError("component")
    return f"OM{_checked(digits, mod_11_2.calc_check_digit(digits[2:9]))}"


def hungarian_person(number: str) -> str:
    """Return a personal tax number of Hungary: 8 and 9 digits, the last one by weights 1 to 9 modulo 11."""
    _digits(number, 10)
    if number[0] != "8":
        raise NumberError("format")
    total = sum(place * int(digit) for place, digit in enumerate(number[:9], 1))
    return _checked(number, str(total % 11))


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
    try:
        date(int(number[:4]), int(number[4:6]), int(number[6:8]))
    except ValueError:
        raise NumberError("component") from None
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


def _checked(number: str, expected: str) -> str:
    if number[-1] != expected:
        raise NumberError("checksum")
    return number


_SEPARATORS = re.compile(r"[\s.,:/_–—-]+")
_SPACED = re.compile(r"[^\W_]+(?: [^\W_]+)+")
_PACKAGES = {"IN": "in_", "IS": "is_"}
_SHORT_DNI = re.compile(r"[0-9]{1,7}[A-Z]")


def validated(value: str, kind: Kind, *, prefix: str | None = None) -> str:
    """Return the normal form of a number of a kind; a VAT number may have its prefix.

    Raises:
        NumberError: The number is not valid.
    """
    problem = None
    forms = [value]
    if _SPACED.fullmatch(value):
        forms.append(value.replace(" ", ""))
    rest = value[len(prefix) :].lstrip(" -.") if prefix else ""
    if prefix and kind.is_vat and not rest.upper().startswith(prefix):
        forms.append(rest)
    if kind.country == "ES" and _SHORT_DNI.fullmatch(value.upper()):
        forms.append(value.zfill(9))
    for written in forms:
        try:
            return _validated(written, kind)
        except NumberError as error:
            problem = problem or error
    raise problem or NumberError("format")


def printed(number: str, kind: Kind) -> str:
    """Return a number in its usual written form."""
    if kind.key in OWN:
        return number
    write = getattr(_module(kind), "format", None)
    try:
        return str(write(number)) if write else number
    except Exception:  # noqa: BLE001  # the writers of numbers raise more than they document
        return number


def is_unlikely(number: str, kind: Kind) -> bool:
    """Return whether a number is of the kind only if that kind is requested."""
    rule = UNLIKELY.get(kind.key)
    return rule is not None and rule(number)


def _validated(written: str, kind: Kind) -> str:
    if kind.key in OWN:
        number = OWN[kind.key](_SEPARATORS.sub("", written).upper())
    else:
        number = _by_library(written, kind)
        if kind.key in FURTHER:
            FURTHER[kind.key](number)
    if number.isdecimal() and len(set(number)) == 1:
        raise NumberError("component")
    return number


def _by_library(written: str, kind: Kind) -> str:
    """Return the normal form of a number by python-stdnum, whose validators raise more than they document."""
    validate = _module(kind).validate
    try:
        return str(validate(written))
    except Exception as error:  # noqa: BLE001
        code = _PROBLEMS.get(type(error).__name__, "format")
    # The German number of persons has rules on how often a digit occurs: a number of the right length breaks them.
    if code == "format" and kind.key == "DE.idnr" and written.isdecimal() and len(written) == 11:
        code = "component"
    raise NumberError(code)


_PROBLEMS: dict[str, TaxIdCode] = {
    "InvalidChecksum": "checksum",
    "InvalidLength": "length",
    "InvalidComponent": "component",
}
"""What the exceptions of python-stdnum mean, by their names."""


@cache
def _module(kind: Kind) -> Any:
    """Return the module of python-stdnum for a kind.

    Raises:
        MissingPackage: python-stdnum is not installed.
    """
    package = _PACKAGES.get(kind.country, kind.country.lower())
    with required("country: checking these numbers", "python-stdnum", module="stdnum", extra="tax"):
        return importlib.import_module(f"stdnum.{package}.{kind.name}")


def prefix_of(value: str) -> str | None:
    """Return the VAT prefix at the start of a value, such as `ES`, `XI` or `CHE`; None if there is none."""
    start = value.lstrip("( ").upper()
    if start.startswith("CHE"):
        return "CHE"
    country = country_of(start[:2])
    has_number = any(character.isdecimal() for character in start[2:])
    return start[:2] if has_number and any(kind.is_vat for kind in registry().get(country, ())) else None


def country_of_prefix(prefix: str) -> str:
    """Return the country of a VAT prefix."""
    return "CH" if prefix == "CHE" else country_of(prefix)


def is_clear(prefix: str) -> bool:
    """Return whether the letters are a prefix for certain, and not the first letters of the number of a country."""
    return any(kind.has_certain_prefix for kind in registry()[country_of_prefix(prefix)])
