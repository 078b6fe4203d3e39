"""The kinds of codes, in the order of their likelihood: books, devices, finance, identifiers, trade."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from mediakit.engines.validation.values import compact
from mediakit.tools.validation.validate_code import schemes, trade
from mediakit.tools.validation.validate_code.schemes import Finding, Scheme, checked, examine, wrong

_SBN_LENGTH = 9


def isbn(text: str) -> Finding:
    """Return whether a code is an ISBN (ISO 2108) of 10 or 13 characters, or an SBN of 9."""
    number = compact(text).removeprefix("ISBN").removeprefix(":")
    if number.startswith(("13:", "10:")):
        number = number[3:]
    scheme = schemes.ISBN13 if len(number) >= 12 else schemes.ISBN10
    found = examine(number, scheme)
    if not found.is_valid and len(number) == _SBN_LENGTH:
        older = examine(f"0{number}", schemes.ISBN10)
        found = older if older.is_valid else found
    return replace(found, fields=_isbn_fields(found.number)) if found.is_valid else found


def issn(text: str) -> Finding:
    """Return whether a code is an ISSN (ISO 3297)."""
    number = compact(text).removeprefix("ISSN").removeprefix(":")
    found = examine(number, schemes.ISSN)
    if not found.is_valid:
        return found
    payload = f"977{found.number[:7]}00"
    ean13 = payload + schemes.gs1(payload)
    fields = {"printed": f"{found.number[:4]}-{found.number[4:]}", "formats": {"ean13": ean13, "gtin14": f"0{ean13}"}}
    return replace(found, fields=fields)


def ismn(text: str) -> Finding:
    """Return whether a code is an ISMN (ISO 10957): 9790 or M, 8 digits and a check digit."""
    from stdnum import ismn as library

    number = compact(text).removeprefix("ISMN").removeprefix(":").replace(".", "")
    found = examine(number, schemes.ISMN10 if number.startswith("M") else schemes.ISMN13)
    if not found.is_valid:
        return found
    ean13 = found.number.replace("M", "9790")
    return replace(found, fields={"printed": library.format(ean13), "formats": {"ean13": ean13, "gtin14": f"0{ean13}"}})


def _isbn_fields(number: str) -> dict[str, Any]:
    from stdnum import numdb

    payload = number[:-1] if len(number) == 13 else f"978{number[:-1]}"
    long = payload + schemes.gs1(payload)
    formats = {"isbn13": long, "ean13": long, "gtin14": f"0{long}"}
    if payload.startswith("978"):
        formats = {"isbn10": payload[3:] + schemes.isbn10(payload[3:]), **formats}
    parts = tuple(numdb.get("isbn").split(payload))  # prefix, group, publisher, title
    if len(parts) != 4 or not all(parts):  # no publisher has been assigned
        return {"formats": formats, "printed": number}
    short = parts[1:] if len(number) == 10 else parts
    printed = "-".join((*short, number[-1]))
    return {"formats": formats, "printed": printed, "publisher_prefix": "-".join(parts[:3])}


_VIN_CHECK_PLACE = 8
_REPORTING_BODIES = ("01", "35", "86", "91", "98", "99")
"""First digits of the type allocation codes of devices of the last 20 years (GSMA TS.06)."""
_WITH_CHECK_DIGIT = "12345L"
"""First characters of vehicles from North America and China, whose check digit is required."""


def imei(text: str) -> Finding:
    """Return whether a code is an IMEI of 15 digits, or of 14 or 16 (IMEISV) without check digit."""
    from stdnum import imei as library

    number = compact(text.replace("/", "").replace(".", ""))
    if re.fullmatch(r"[0-9]{14}|[0-9]{16}", number):
        if not number.startswith(_REPORTING_BODIES):
            reason = "No IMEI without check digit begins with the digits of this one."
            return wrong("imei", number, "prefix", reason)
        expected = schemes.luhn(number) if len(number) == 14 else None
        return Finding("imei", number, expected=expected, fields={"printed": library.format(number)})
    found = examine(number, schemes.IMEI)
    return replace(found, fields={"printed": library.format(number)}) if found.is_valid else found


def container(text: str) -> Finding:
    """Return whether a code is the number of a freight container (ISO 6346)."""
    found = examine(compact(text), schemes.CONTAINER)
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
    expected, given = schemes.vin(number), number[_VIN_CHECK_PLACE]
    suggestion = number[:_VIN_CHECK_PLACE] + expected + number[_VIN_CHECK_PLACE + 1 :]
    found = checked("vin", number, given, expected, suggestion)
    if found.is_valid or number[0] in _WITH_CHECK_DIGIT:
        return found
    warning = "The ninth character is not a check digit; vehicles of this region need none."
    return Finding("vin", number, expected=expected, warnings=(warning,))


_CARD_LENGTHS = range(12, 20)
_BRANDS = (
    ("amex", r"3[47]", (15,)),
    ("diners", r"30[0-5]|36|3[89]", range(14, 20)),
    ("jcb", r"35(?:2[89]|[3-8])", range(16, 20)),
    ("elo", r"4011(?:78|79)|43(?:1274|8935)|45(?:1416|7393|763[12])|50(?:4175|6699|67|9)|627780|636297|636368", (16,)),
    ("visa", r"4", (13, 16, 19)),
    ("mir", r"220[0-4]", range(16, 20)),
    ("mastercard", r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720", (16,)),
    ("verve", r"506(?:099|1)|6500", (16, 18, 19)),
    ("hipercard", r"606282", (16,)),
    ("discover", r"6011|64[4-9]|65|622(?:12[6-9]|1[3-9]|[2-8]|91|92[0-5])", range(16, 20)),
    ("unionpay", r"62|81", range(16, 20)),
    ("rupay", r"60|82|508", (16,)),
    ("troy", r"9792", (16,)),
    ("dankort", r"5019", (16,)),
    ("maestro", r"50|5[6-9]|6[37]", _CARD_LENGTHS),
    ("uzcard", r"8600", (16,)),
    ("humo", r"9860", (16,)),
    ("uatp", r"1", (15,)),
)


def card(text: str) -> Finding:
    """Return whether a code is the number of a payment card (ISO/IEC 7812) of a known brand.

    Nothing that is returned beside `number` has more than the last four digits.
    """
    number = compact(text)
    found = replace(examine(number, schemes.LUHN), kind="card", suggestion=None)
    if found.problem == "characters":
        return replace(found, reason="A card number has only digits.")
    if len(number) not in _CARD_LENGTHS:
        return wrong("card", number, "length", f"A card number has 12 to 19 digits, got {len(number)}.")
    fits = (name for name, start, lengths in _BRANDS if len(number) in lengths and re.match(start, number))
    brand = next(fits, None)
    if brand is None:
        return wrong("card", number, "prefix", "No card brand has numbers that begin in this way and are so long.")
    masked = f"**** {number[-4:]}"
    return replace(found, normalized=masked, fields={"brand": brand, "printed": masked if found.is_valid else None})


def isin(text: str) -> Finding:
    """Return whether a code is an ISIN (ISO 6166)."""
    from stdnum import isin as library
    from stdnum.exceptions import InvalidComponent, ValidationError

    found = examine(compact(text), schemes.ISIN)
    if found.problem in (None, "checksum"):
        try:
            library.validate(found.number)
        except InvalidComponent:
            return wrong("isin", found.number, "prefix", "The first two letters are not those of a country.")
        except ValidationError:  # the check digit
            pass
    return found


def bic(text: str) -> Finding:
    """Return whether a code has the shape of a BIC (ISO 9362); it has no check digit."""
    number = compact(text)
    if not re.fullmatch(r"[A-Z0-9]*", number):
        return wrong("bic", number, "characters", "A BIC has only letters and digits.")
    if len(number) not in (8, 11):
        return wrong("bic", number, "length", f"A BIC has 8 or 11 characters, got {len(number)}.")
    if not re.fullmatch(r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", number):
        return wrong("bic", number, "characters", "The first 6 characters of a BIC are letters.")
    from stdnum import bic as library

    if not library.is_valid(number):
        return wrong("bic", number, "prefix", "The fifth and sixth letters are not those of a country.")
    printed = f"{number[:4]} {number[4:6]} {number[6:8]} {number[8:]}".rstrip()
    return Finding("bic", number, fields={"printed": printed})


_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_DOI_ADDRESS = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:\s*", re.IGNORECASE)
_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s\x00-\x1f]+")
_ORCID_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?orcid\.org/|orcid:?\s*", re.IGNORECASE)
_ISNI_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?isni\.org/(?:isni/)?|isni:?\s*", re.IGNORECASE)


def uuid(text: str) -> Finding:
    """Return whether a code is a UUID (RFC 9562), also in braces or as a URN."""
    number = text.lower().removeprefix("urn:").removeprefix("uuid:").strip("{} ")
    if not re.fullmatch(r"[0-9a-f-]*", number):
        return wrong("uuid", number, "characters", "A UUID has only hexadecimal digits and hyphens.")
    if not _UUID.fullmatch(number):
        return wrong("uuid", number, "length", "A UUID has 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.")
    digits = number.replace("-", "")
    printed = f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    return Finding("uuid", printed, fields={"printed": printed})


def doi(text: str) -> Finding:
    """Return whether a code has the shape of a DOI (ISO 26324), also as an address; it has no check digit."""
    number = _without_address(text, _DOI_ADDRESS)
    if not number.startswith("10."):
        return wrong("doi", number, "prefix", "A DOI begins with 10.")
    if not _DOI.fullmatch(number):
        return wrong("doi", number, "characters", "A DOI is 10., a number, a slash and text without spaces.")
    return Finding("doi", number, fields={"printed": f"https://doi.org/{number}"})


def _of_person(text: str, scheme: Scheme, address: re.Pattern[str]) -> Finding:
    """Return whether a code is an ORCID or an ISNI (ISO 27729), also as an address."""
    found = examine(compact(_without_address(text, address)), scheme)
    if not found.is_valid:
        return found
    number = found.number
    separator = "-" if scheme is schemes.ORCID else " "
    printed = separator.join((number[:4], number[4:8], number[8:12], number[12:]))
    return replace(found, normalized=printed if scheme is schemes.ORCID else None, fields={"printed": printed})


def _without_address(text: str, address: re.Pattern[str]) -> str:
    found = address.match(text)
    return text[found.end() :] if found else text


Examine = Callable[[str], Finding]


def _of(scheme: Scheme) -> Examine:
    """Return the function that examines codes of a scheme without further fields."""
    return lambda text: examine(compact(text), scheme)


KINDS: Mapping[str, Examine] = {
    "doi": doi,
    "uuid": uuid,
    "isbn": isbn,
    "ismn": ismn,
    "lei": _of(schemes.LEI),
    "figi": _of(schemes.FIGI),
    "isin": isin,
    "container": container,
    "vin": vin,
    "orcid": partial(_of_person, scheme=schemes.ORCID, address=_ORCID_ADDRESS),
    "card": card,
    "imei": imei,
    "ean13": partial(trade.of_scheme, scheme=schemes.EAN13),
    "upca": partial(trade.of_scheme, scheme=schemes.UPCA),
    "ean8": partial(trade.of_scheme, scheme=schemes.EAN8),
    "itf14": partial(trade.of_scheme, scheme=schemes.ITF14),
    "issn": issn,
    "sscc": partial(trade.of_scheme, scheme=schemes.SSCC),
    "upce": trade.upce,
    "gs1": trade.element_string,
    "isni": partial(_of_person, scheme=schemes.ISNI, address=_ISNI_ADDRESS),
    "bic": bic,
    "cusip": _of(schemes.CUSIP),
    "sedol": _of(schemes.SEDOL),
    "gln": partial(trade.of_scheme, scheme=schemes.GLN),
    "luhn": _of(schemes.LUHN),
}
"""What examines a code by each kind; the order is that of `auto`."""

BY_NAME: Mapping[str, Examine] = {**KINDS, "gtin": trade.gtin}
"""The kinds that can be requested."""

EXPLAINING = (
    "isbn", "ismn", "card", "ean13", "upca", "itf14", "sscc", "ean8", "issn", "imei", "isin", "lei", "container",
    "vin", "orcid",
)  # fmt: skip
"""Kinds that explain what is wrong with a code that is of no kind, the likeliest first."""


def is_likely(value: str, found: Finding) -> bool:
    """Return whether a valid code, as written, is likely to be meant as one of the kind, and not only by chance."""
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
    found = trade.of_scheme(number, schemes.EAN13)
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
    "gs1": lambda value, _: trade.begins_with_gtin_or_sscc(value),
    "vin": lambda _, found: not found.number.isdecimal(),
    "bic": lambda value, _: value.isupper(),
    "luhn": lambda _, found: 6 <= len(found.number) <= 40,
}
