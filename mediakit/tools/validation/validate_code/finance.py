"""Payment cards, securities, companies and banks."""

import re
from dataclasses import replace

from mediakit.tools.validation.validate_code.finding import Finding, wrong
from mediakit.tools.validation.validate_code.schemes import CUSIP, FIGI, ISIN, LEI, LUHN, SEDOL, compact, examine

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
    found = replace(examine(number, LUHN), kind="card", suggestion=None)
    if found.problem == "characters":
        return replace(found, reason="A card number has only digits.")
    if len(number) not in _CARD_LENGTHS:
        return wrong("card", number, "length", f"A card number has 12 to 19 digits, got {len(number)}.")
    brand = brand_of(number)
    if brand is None:
        return wrong("card", number, "prefix", "No card brand has numbers that begin in this way and are so long.")
    masked = f"**** {number[-4:]}"
    return replace(found, normalized=masked, fields={"brand": brand, "printed": masked if found.is_valid else None})


def brand_of(number: str) -> str | None:
    """Return the brand of a card, by its first digits and its length."""
    for brand, start, lengths in _BRANDS:
        if len(number) in lengths and re.match(start, number):
            return brand
    return None


def luhn(text: str) -> Finding:
    """Return whether a number ends with its Luhn digit (ISO/IEC 7812-1)."""
    return examine(compact(text), LUHN)


def isin(text: str) -> Finding:
    """Return whether a code is an ISIN (ISO 6166)."""
    found = examine(compact(text), ISIN)
    if found.problem in (None, "checksum") and not _has_isin_country(found.number):
        return wrong("isin", found.number, "prefix", "The first two letters are not those of a country.")
    return found


def cusip(text: str) -> Finding:
    """Return whether a code is a CUSIP."""
    return examine(compact(text), CUSIP)


def sedol(text: str) -> Finding:
    """Return whether a code is a SEDOL."""
    return examine(compact(text), SEDOL)


def figi(text: str) -> Finding:
    """Return whether a code is a FIGI."""
    return examine(compact(text), FIGI)


def lei(text: str) -> Finding:
    """Return whether a code is an LEI (ISO 17442)."""
    return examine(compact(text), LEI)


def bic(text: str) -> Finding:
    """Return whether a code has the shape of a BIC (ISO 9362); it has no check digit."""
    number = compact(text)
    if not re.fullmatch(r"[A-Z0-9]*", number):
        return wrong("bic", number, "characters", "A BIC has only letters and digits.")
    if len(number) not in (8, 11):
        return wrong("bic", number, "length", f"A BIC has 8 or 11 characters, got {len(number)}.")
    if not re.fullmatch(r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", number):
        return wrong("bic", number, "characters", "The first 6 characters of a BIC are letters.")
    if not _has_bic_country(number):
        return wrong("bic", number, "prefix", "The fifth and sixth letters are not those of a country.")
    printed = f"{number[:4]} {number[4:6]} {number[6:8]} {number[8:]}".rstrip()
    return Finding("bic", number, fields={"printed": printed})


def _has_isin_country(number: str) -> bool:
    from stdnum import isin as library
    from stdnum.exceptions import InvalidComponent, ValidationError

    try:
        library.validate(number)
    except InvalidComponent:
        return False
    except ValidationError:
        return True
    return True


def _has_bic_country(number: str) -> bool:
    from stdnum import bic as library

    return library.is_valid(number)
