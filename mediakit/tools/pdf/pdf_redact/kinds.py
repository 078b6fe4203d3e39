"""Kinds of personal data: where they are in a text, checked by their check digits where they have them."""

import ipaddress
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

Kind = Literal["email", "phone", "iban", "card", "ip", "url"]

IBAN_LENGTHS: Mapping[str, int] = {
    country: int(length)
    for length, countries in (
        line.split(": ")
        for line in (
            "15: NO",
            "16: BE",
            "18: DK FI FK FO GL NL SD",
            "19: MK SI",
            "20: AT BA EE KZ LT LU MN XK",
            "21: CH CR HR LI LV",
            "22: BG BH DE GB GE IE ME RS VA",
            "23: AE GI IL IQ OM SO TL",
            "24: AD CZ ES MD PK RO SA SE SK TN VG",
            "25: LY PT ST",
            "26: IS TR",
            "27: BI DJ FR GR IT MC MR SM",
            "28: AL AZ BY CY DO GT HN HU LB NI PL SV",
            "29: BR EG PS QA UA",
            "30: JO KW MU YE",
            "31: MT SC",
            "32: LC",
            "33: RU",
        )
    )
    for country in countries.split()
}
"""Characters of an IBAN by country (IBAN registry, ISO 13616)."""

_EMAIL = re.compile(r"(?<![\w.+-])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_URL = re.compile(r"(?i)(?<![\w@])(?:https?://|ftp://|www\.)[^\s<>\"\x1f]{3,2000}")
_IBAN = re.compile(r"(?i)(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}")
_CARD = re.compile(r"(?<![\d.,])[2-6](?:[ -]?\d){11,17}\d(?![\d]|[.,]\d)")
_IP4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)")
_IP6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{2,45}")
_PHONES = (
    re.compile(r"(?<![\w+])(?:\+|00)[1-9]\d{0,2}[ ./-]?(?:\(\d{1,5}\)[ ./-]?)?\d[\d ./-]{3,18}\d(?!\d)"),
    re.compile(r"(?<![\w+.,/-])\(?0\d{1,5}\)?[ /.-]\s?\d[\d ./-]{3,14}\d(?![\d]|[.,/]\d)"),
    re.compile(r"(?<![\w+.,/-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[.-]\d{4}(?![\w-])"),
    re.compile(
        r"(?i)\b(?:tel|telephone|telefon|tel[eé]fono|t[eé]l|phone|fax|mobile?|cell|m[oó]vil)\b[.:]*\s{0,3}"
        r"(?P<number>\(?\d[\d ()./-]{3,20}\d)(?!\d)"
    ),
)
_DATE = re.compile(r"(?:0?\d|[12]\d|3[01])[./-](?:0?\d|1[0-2])[./-](?:19|20)?\d\d|(?:19|20)\d\d[./-]\d\d[./-]\d\d")

Span = tuple[int, int]


def find(kind: Kind, text: str) -> list[Span]:
    """Return where data of a kind are in a text on one line."""
    return list(FINDERS[kind](text))


def _emails(text: str) -> Iterator[Span]:
    if "@" in text:
        for match in _EMAIL.finditer(text):
            yield match.span()


def _urls(text: str) -> Iterator[Span]:
    for match in _URL.finditer(text):
        address = match[0].rstrip(".,;:!?'*_")
        while address.endswith((")", "]", "}")) and address.count(address[-1]) > address.count(_OPENING[address[-1]]):
            address = address[:-1].rstrip(".,;:!?'")
        yield match.start(), match.start() + len(address)


_OPENING = {")": "(", "]": "[", "}": "{"}


def _ibans(text: str) -> Iterator[Span]:
    for match in _IBAN.finditer(text):
        length = IBAN_LENGTHS.get(match[0][:2].upper(), 0)
        end = _end_of(match[0], length)
        if end and _is_iban(re.sub("[ -]", "", match[0][:end]).upper()):
            yield match.start(), match.start() + end


def _end_of(text: str, length: int) -> int:
    """Return where the first letters and digits of a text end; 0 if there are fewer, or if more follow."""
    places = [place for place, character in enumerate(text) if character.isalnum()]
    if not 0 < length <= len(places):
        return 0
    end = places[length - 1] + 1
    return 0 if text[end : end + 1].isalnum() else end


def _is_iban(text: str) -> bool:
    """Return whether the check digits are right (ISO 7064, MOD 97-10)."""
    return int("".join(str(int(each, 36)) for each in text[4:] + text[:4])) % 97 == 1


def _cards(text: str) -> Iterator[Span]:
    for match in _CARD.finditer(text):
        digits = [int(each) for each in match[0] if each.isdigit()]
        if len(set(digits)) > 1 and _is_luhn(digits):
            yield match.span()


def _is_luhn(digits: list[int]) -> bool:
    """Return whether the last digit is right (ISO/IEC 7812-1, annex B)."""
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _ips(text: str) -> Iterator[Span]:
    for pattern in (_IP4, _IP6):
        for match in pattern.finditer(text):
            address = match[0].rstrip(".:") if not match[0].endswith("::") else match[0]
            if _is_ip(address):
                yield match.start(), match.start() + len(address)


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return sum(each.isalnum() for each in text) >= 3


def _phones(text: str) -> Iterator[Span]:
    others = [span for finder in (_ibans, _cards, _ips) for span in finder(text)]
    for pattern in _PHONES:
        group = "number" if "number" in pattern.groupindex else 0
        for match in pattern.finditer(text):
            start, end = match.span(group)
            digits = sum(each.isdigit() for each in text[start:end])
            is_other = any(start < last and first < end for first, last in others)
            if 6 <= digits <= 15 and not is_other and not _DATE.match(text[start:end]):
                yield start, end


FINDERS: Mapping[Kind, Callable[[str], Iterator[Span]]] = {
    "email": _emails,
    "phone": _phones,
    "iban": _ibans,
    "card": _cards,
    "ip": _ips,
    "url": _urls,
}
