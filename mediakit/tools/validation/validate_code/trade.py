"""GTIN and the other numbers of GS1, and element strings of them."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

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
    compact,
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
    number = compact(text)
    if not number.isascii() or not number.isdecimal():
        return wrong("upce", number, "characters", "A UPC-E has only digits.")
    if len(number) not in _UPCE_DIGITS:
        return wrong("upce", number, "length", f"A UPC-E has 8 digits, got {len(number)}.")
    body = f"0{number}" if len(number) == 6 else number[:7]
    if body[0] not in "01":
        return wrong("upce", number, "prefix", "A UPC-E begins with 0 or 1.")
    upca_payload = expanded(body)
    expected = schemes.gs1(upca_payload)
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


FNC1 = "\x1d"
MAX_ELEMENTS = 100
_DATES = ("11", "12", "13", "15", "16", "17", "4324", "4325", "4326", "7003", "7006", "7007", "7011", "8008")
_SSCC_IDENTIFIER = re.compile(r"(?:\(00\)|00)(?=[0-9]{18}$)")
_SYMBOLOGY = re.compile(r"\](?:C1|d2|Q3|e0|J1)")
_WRITTEN_FNC1 = re.compile(r"<GS>|\{GS\}|<FNC1>|\{FNC1\}|\^FNC1|␝", re.IGNORECASE)
_BRACKETED = re.compile(r"\(\s*([0-9]{2,5})\s*\)")
_WITH_CHECK_DIGIT = ("00", "01", "02", "03", "410", "411", "412", "413", "414", "415", "416", "417", "8006", "8018")


def is_marked(text: str) -> bool:
    """Return whether a code is written as an element string: with brackets, FNC1 or a symbology identifier."""
    return bool(_SYMBOLOGY.match(text) or _BRACKETED.match(text) or FNC1 in text or _WRITTEN_FNC1.search(text))


def begins_with_gtin_or_sscc(text: str) -> bool:
    """Return whether a code without marks is most likely an element string: it begins with a GTIN or SSCC."""
    return re.match(r"0[12][0-9]{14}|00[0-9]{18}", text) is not None


def gs1(text: str) -> Finding:
    """Return whether a code is a GS1 element string, with brackets around its identifiers or with FNC1 between."""
    plain = _WRITTEN_FNC1.sub(FNC1, _SYMBOLOGY.sub("", text.strip(" "), count=1))
    found: list[Any] = []
    if _BRACKETED.match(plain):
        problem = _read_bracketed(plain, found)
    else:
        pieces = [piece for piece in plain.split(FNC1) if piece]
        problem = next((each for piece in pieces if (each := _read(piece, found))), None)
    if problem is not None:
        return replace(problem, suggestion=_corrected(plain, problem))
    if not found:
        return wrong("gs1", plain, "length", "The element string is empty.")
    written = "".join(element.as_hri() for element in found)
    fields = {"elements": [_described(element) for element in found], "printed": written}
    return Finding("gs1", written, fields=fields)


def _read_bracketed(text: str, found: list[Any]) -> Finding | None:
    """Add the elements of `(01)...(10)...`, and return what is wrong with one of them."""
    starts = list(_BRACKETED.finditer(text))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    for start, end in zip(starts, ends, strict=True):
        identifier, value = start.group(1), text[start.end() : end].strip(f" {FNC1}")
        count = len(found)
        problem = _read(identifier + value, found, identifier)
        if problem is not None:
            return problem
        if len(found) != count + 1:
            return wrong("gs1", value, "length", _format_reason(found[count].ai, value))
    return None


def _read(piece: str, found: list[Any], expected: str | None = None) -> Finding | None:
    """Add the elements of a piece between two FNC1, and return what is wrong with one of them."""
    from biip import ParseError
    from biip.gs1_application_identifiers import GS1ApplicationIdentifier
    from biip.gs1_element_strings import GS1ElementString

    while piece:
        try:
            identifier = GS1ApplicationIdentifier.extract(piece)
        except ParseError:
            return _unknown(piece, expected)
        if expected is not None and identifier.ai != expected:
            return _unknown(piece, expected)
        try:
            element = GS1ElementString.extract(piece)
        except ParseError:
            return _unreadable(piece, identifier)
        problem = _check_digit_problem(element)
        if problem is not None:
            return problem
        found.append(element)
        if len(found) > MAX_ELEMENTS:
            return wrong("gs1", piece, "length", f"An element string has at most {MAX_ELEMENTS} elements.")
        piece, expected = piece[len(element) :], None
    return None


def _unknown(piece: str, expected: str | None) -> Finding:
    name = f"({expected}) is not an" if expected else f"{piece[:4]!r} does not begin with an"
    return wrong("gs1", piece, "unknown_ai", f"{name} application identifier.")


def _corrected(text: str, problem: Finding) -> str | None:
    """Return the element string with the expected check digit."""
    if problem.suggestion is None or text.count(problem.number) != 1:
        return None
    return text.replace(problem.number, problem.suggestion)


def _unreadable(piece: str, identifier: Any) -> Finding:
    from biip import ParseConfig, ParseError
    from biip.gs1_element_strings import GS1ElementString

    value = piece[len(identifier.ai) :]
    try:
        GS1ElementString.extract(piece, config=ParseConfig(gs1_element_strings_verify_date=False))
        is_date = True
    except ParseError:
        is_date = identifier.ai in _DATES and value[:6].isdecimal() and len(value) >= 6
    if not is_date:
        fits = value.isdecimal() or "X" in identifier.format
        return wrong("gs1", piece, "length" if fits else "characters", _format_reason(identifier, value))
    reason = f"({identifier.ai}) {identifier.description}: {value[:12]!r} is not a date."
    return wrong("gs1", piece, "bad_date", reason)


def _format_reason(identifier: Any, value: str) -> str:
    return f"({identifier.ai}) {identifier.description} has the format {identifier.format}, got {value[:40]!r}."


def _check_digit_problem(element: Any) -> Finding | None:
    if element.ai.ai not in _WITH_CHECK_DIGIT:
        return None
    number = element.value[:14] if element.ai.ai == "8006" else element.value
    expected = schemes.gs1(number[:-1])
    rest = element.value[len(number) :]
    found = checked("gs1", element.value, number[-1], expected, number[:-1] + expected + rest)
    if found.is_valid:
        return None
    reason = f"({element.ai.ai}) {element.ai.description}: the check digit is {number[-1]}, should be {expected}."
    return replace(found, reason=reason)


def _described(element: Any) -> dict[str, Any]:
    moment = element.datetime or element.date
    return {
        "ai": element.ai.ai,
        "name": element.ai.description,
        "value": element.value,
        "date": None if moment is None else moment.isoformat(),
        "amount": None if element.decimal is None else float(element.decimal),
    }
