"""GTIN and the other numbers of GS1, and element strings of them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any

from mediakit.engines import gs1
from mediakit.engines.validation.values import compact
from mediakit.tools.validation.validate_code import schemes
from mediakit.tools.validation.validate_code.schemes import (
    EAN8,
    EAN13,
    ITF14,
    LOST_ZERO,
    UPCA,
    CodeProblem,
    Finding,
    Scheme,
    checked,
    examine,
    wrong,
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
    number = compact(text)
    if scheme.kind == "sscc":
        number = _SSCC_IDENTIFIER.sub("", number)
    found = examine(number, scheme)
    return replace(found, fields=_fields(found)) if found.is_valid else found


def upce(text: str) -> Finding:
    """Return whether a code is a UPC-E: the number system 0 or 1, 6 digits, and the check digit of its UPC-A."""
    from biip import upc

    number = compact(text)
    if not number.isascii() or not number.isdecimal():
        return wrong("upce", number, "characters", "A UPC-E has only digits.")
    if len(number) not in _UPCE_DIGITS:
        return wrong("upce", number, "length", f"A UPC-E has 8 digits, got {len(number)}.")
    body = f"0{number}" if len(number) == 6 else number[:7]
    if body[0] not in "01":
        return wrong("upce", number, "prefix", "A UPC-E begins with 0 or 1.")
    upca_number = upc.Upc.parse(body).as_upc_a()
    expected = upca_number[-1]
    if len(number) < 8:
        reason, suggestion = f"The check digit is missing: it is {expected}.", body + expected
        if number[0] == "1" and len(number) == 7 and upce(f"0{number}").is_valid:
            reason, suggestion = LOST_ZERO, f"0{number}"
        return Finding("upce", number, "length", reason, expected=expected, suggestion=suggestion)
    found = checked("upce", number, number[-1], expected, body + expected)
    if not found.is_valid:
        return found
    return replace(found, fields={**_fields(replace(found, kind="upca", number=upca_number)), "printed": number})


@lru_cache(maxsize=4096)
def issuer_of(number: str) -> tuple[str | None, str | None]:
    """Return the country of the GS1 office that assigned a number, and the prefix of the company, as far as known."""
    from biip import gs1_prefixes

    prefix = gs1_prefixes.GS1Prefix.extract(number)
    company = gs1_prefixes.GS1CompanyPrefix.extract(number)
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
    if found.kind not in ("sscc", "gln"):  # the same GTIN in each format that can hold it
        fields["formats"] = formats = {}
        if len(number) <= 12 or (len(number) == 13 and number[0] == "0"):
            formats["upca"] = number[-12:].zfill(12)
        if len(number) <= 13:
            formats["ean13"] = number.zfill(13)
        formats["gtin14"] = number.zfill(14)
    return fields


FNC1 = "\x1d"
MAX_ELEMENTS = 100
_DATES = ("11", "12", "13", "15", "16", "17", "4324", "4325", "4326", "7003", "7006", "7007", "7011", "8008")
_SSCC_IDENTIFIER = re.compile(r"(?:\(00\)|00)(?=[0-9]{18}$)")
_SYMBOLOGY = re.compile(r"\](?:C1|d2|Q3|e0|J1)")
_WRITTEN_FNC1 = re.compile(r"<GS>|\{GS\}|<FNC1>|\{FNC1\}|\^FNC1|␝", re.IGNORECASE)


def is_marked(text: str) -> bool:
    """Return whether a code is written as an element string: with brackets, FNC1 or a symbology identifier."""
    return bool(_SYMBOLOGY.match(text) or gs1.split_brackets(text) or FNC1 in text or _WRITTEN_FNC1.search(text))


def begins_with_gtin_or_sscc(text: str) -> bool:
    """Return whether a code without marks is most likely an element string: it begins with a GTIN or SSCC."""
    return re.match(r"0[12][0-9]{14}|00[0-9]{18}", text) is not None


class _ElementError(Exception):
    """An element that is not valid."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.reason)
        self.finding = finding


def element_string(text: str) -> Finding:
    """Return whether a code is a GS1 element string, with brackets around its identifiers or with FNC1 between."""
    plain = _WRITTEN_FNC1.sub(FNC1, _SYMBOLOGY.sub("", text.strip(" "), count=1))
    try:
        found = list(islice(_elements(plain), MAX_ELEMENTS + 1))
    except _ElementError as error:
        problem = error.finding
        can_correct = problem.suggestion is not None and plain.count(problem.number) == 1
        corrected = plain.replace(problem.number, problem.suggestion or "") if can_correct else None
        return replace(problem, suggestion=corrected)
    if not 0 < len(found) <= MAX_ELEMENTS:
        reason = f"An element string has 1 to {MAX_ELEMENTS} elements."
        return wrong("gs1", plain, "length", reason if found else "The element string is empty.")
    written = "".join(element.as_hri() for element in found)
    fields = {"elements": [_described(element) for element in found], "printed": written}
    return Finding("gs1", written, fields=fields)


def _elements(text: str) -> Iterator[Any]:
    """Yield the elements of a text with brackets, as in `(01)...(10)...`, or with FNC1 between its pieces.

    Raises:
        _ElementError: One is not valid.
    """
    bracketed = gs1.split_brackets(text)
    for identifier, value in bracketed:
        element = _element(identifier + value.strip(FNC1), identifier)
        if element.value != value.strip(FNC1):
            raise _ElementError(wrong("gs1", value, "length", _format_reason(element.ai, value)))
        yield element
    for piece in [] if bracketed else text.split(FNC1):
        rest = piece
        while rest:
            yield (element := _element(rest))
            rest = rest[len(element) :]


def _element(text: str, identifier: str | None = None) -> Any:
    """Return the element that a text begins with."""
    from biip import ParseError
    from biip.gs1_element_strings import GS1ElementString

    known = gs1.identifier_at(text)
    if known is None or identifier not in (None, known.ai):
        name = f"({identifier}) is not an" if identifier else f"{text[:4]!r} does not begin with an"
        raise _ElementError(wrong("gs1", text, "unknown_ai", f"{name} application identifier."))
    try:
        element = GS1ElementString.extract(text)
    except ParseError:
        raise _ElementError(_unreadable(text, known)) from None
    _check_digit(element)
    return element


def _unreadable(text: str, identifier: Any) -> Finding:
    from biip import ParseConfig, ParseError
    from biip.gs1_element_strings import GS1ElementString

    value = text[len(identifier.ai) :]
    try:
        GS1ElementString.extract(text, config=ParseConfig(gs1_element_strings_verify_date=False))
        is_date = True
    except ParseError:
        is_date = identifier.ai in _DATES and value[:6].isdecimal() and len(value) >= 6
    if not is_date:
        fits = value.isdecimal() or "X" in identifier.format
        return wrong("gs1", text, "length" if fits else "characters", _format_reason(identifier, value))
    reason = f"({identifier.ai}) {identifier.description}: {value[:12]!r} is not a date."
    return wrong("gs1", text, "bad_date", reason)


def _format_reason(identifier: Any, value: str) -> str:
    return f"({identifier.ai}) {identifier.description} has the format {identifier.format}, got {value[:40]!r}."


def _check_digit(element: Any) -> None:
    """Raise an error if the check digit inside of an element is wrong."""
    if (key := gs1.CHECKED_ELEMENTS.fullmatch(element.ai.ai + element.value)) is None:
        return
    digits, end = key[key.lastgroup or 0], key.end(key.lastgroup or 0) - len(element.ai.ai)
    expected = schemes.gs1(digits[:-1])
    if digits[-1] != expected:
        corrected = element.value[: end - 1] + expected + element.value[end:]
        found = checked("gs1", element.value, digits[-1], expected, corrected)
        name = f"({element.ai.ai}) {element.ai.description}"
        reason = f"{name}: the check digit is {digits[-1]}, should be {expected}."
        raise _ElementError(replace(found, reason=reason))


def _described(element: Any) -> dict[str, Any]:
    moment = element.datetime or element.date
    return {
        "ai": element.ai.ai,
        "name": element.ai.description,
        "value": element.value,
        "date": None if moment is None else moment.isoformat(),
        "amount": None if element.decimal is None else float(element.decimal),
    }
