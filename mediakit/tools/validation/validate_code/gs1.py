"""GS1 element strings."""

import re
from dataclasses import replace
from typing import Any

from mediakit.tools.validation.validate_code import check_digits
from mediakit.tools.validation.validate_code.finding import Finding, wrong
from mediakit.tools.validation.validate_code.schemes import checked

FNC1 = "\x1d"
MAX_ELEMENTS = 100
_DATES = ("11", "12", "13", "15", "16", "17", "4324", "4325", "4326", "7003", "7006", "7007", "7011", "8008")
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
    expected = check_digits.gs1(number[:-1])
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
