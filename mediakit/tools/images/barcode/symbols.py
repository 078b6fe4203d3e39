"""Symbols: text to the modules of each type, and to the text below them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import zxingcpp

from mediakit.engines import gs1
from mediakit.engines.png import Band
from mediakit.engines.symbol import symbol_bands
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning
from mediakit.tools.images.barcode import code128

BarcodeType = Literal["code128", "code39", "ean13", "ean8", "upca", "upce", "itf14", "datamatrix", "pdf417", "aztec"]
Gs1Mode = Literal["auto", "on", "off"]

MATRIX_FORMATS = {
    "datamatrix": zxingcpp.BarcodeFormat.DataMatrix,
    "pdf417": zxingcpp.BarcodeFormat.PDF417,
    "aztec": zxingcpp.BarcodeFormat.Aztec,
}
NUMBER_FORMATS = {
    "ean13": zxingcpp.BarcodeFormat.EAN13,
    "ean8": zxingcpp.BarcodeFormat.EAN8,
    "upca": zxingcpp.BarcodeFormat.UPCA,
    "itf14": zxingcpp.BarcodeFormat.ITF,
}
TO_PIXELS = bytes.maketrans(b"10", b"\x00\xff")
GS1_TYPES = ("code128", "datamatrix")
MAX_GS1_128_LENGTH = 48
"""Maximum characters of GS1-128, including application identifiers and separators (section 5.4)."""
PLAIN_TEXT_HINT = 'Use gs1="off" to encode the parentheses as plain text.'
BRACKETED = re.compile(r"(?:\(\d{2,4}\)[!-Z_a-z]+)+", re.ASCII)
"""Text that can only be meant as GS1: brackets with digits, and only characters that GS1 values can have."""
BRACKETS = re.compile(r"\((\d{2,4})\)", re.ASCII)
SEPARATORS = re.compile(r"[\s\u002d\u2010-\u2015\u2212]")
"""Spaces and hyphens between the groups of a number."""
ISBN_NAME = re.compile(r"ISBN(?:-?1[03])?:?\s*", re.IGNORECASE)
ISBN_10 = re.compile(r"\d{9}[\dXx]", re.ASCII)

LENGTHS = {"ean13": 13, "ean8": 8, "upca": 12, "upce": 8, "itf14": 14}
"""Digits of each type, including the check digit."""

EVEN_PARITY_PLACES = ("012", "013", "014", "015", "023", "034", "045", "024", "025", "035")
"""Positions of even parity in number system 0, by check digit; in number system 1 all others are even."""
UPCE_END_GUARD = "010101"


@dataclass(frozen=True)
class Symbol:
    """A code without quiet zone and text."""

    rows: Sequence[Band]
    """One byte per module, black on white; a linear code is one row."""
    text: str
    """The encoded text in human-readable form, with its check digit."""
    warnings: list[ResultWarning] = field(default_factory=list)
    """What was changed, or may be meant in another way."""

    @property
    def width(self) -> int:
        """Width in modules."""
        return len(self.rows[0][0])


def encode(data: str, kind: BarcodeType, mode: Gs1Mode) -> Symbol:
    """Encode a text.

    Raises:
        InvalidInput: The type cannot encode the text.
    """
    if mode == "on" and kind not in GS1_TYPES:
        raise InvalidInput(f"gs1: requires type {' or '.join(GS1_TYPES)}, got {kind}.")
    warnings: list[ResultWarning] = []
    if mode == "on" or (mode == "auto" and BRACKETS.search(data)):
        if kind not in GS1_TYPES:
            fix = f"type {' or '.join(GS1_TYPES)} encodes GS1"
            warnings.append({"code": "not_gs1", "message": f"gs1: {kind} has the brackets as plain text; {fix}."})
        elif found := _gs1_elements(data.strip(), mode, warnings):
            return _gs1(data, found, kind, warnings)
    if kind in MATRIX_FORMATS:
        return Symbol(_matrix(data, kind), data, warnings)
    if kind in LENGTHS:
        number = with_check_digit(_plain_number(data, kind, warnings), kind)
        if kind == "upce":
            return Symbol(_row(_upce(number)), number, warnings)
        bars = symbol_bands(zxingcpp.create_barcode(number, NUMBER_FORMATS[kind]))[0][0]
        return Symbol([(bars, 1)], number, warnings)
    if kind == "code39":
        return Symbol(_row(_code39(data)), data, warnings)
    if other := next((char for char in data if ord(char) > 255), None):
        raise InvalidInput(
            f"data: must be ASCII or Latin-1 for code128, got {other!r}. datamatrix, pdf417 and aztec encode any text."
        )
    return Symbol(_row(code128.modules([*map(ord, data)])), data, warnings)


def _gs1_elements(data: str, mode: Gs1Mode, warnings: list[ResultWarning]) -> list[gs1.Element] | None:
    """Return the elements of a text; None, with a warning, if it has text that need not be meant as GS1."""
    plain = gs1.read_elements(data) if mode == "on" and "(" not in data else None
    bracketed = "".join(f"({each.identifier}){each.value}" for each in plain or []) or data
    try:
        return gs1.bracketed_elements(bracketed)
    except gs1.InvalidElementError as error:
        first = BRACKETS.match(data)
        is_unknown = first is not None and not gs1.is_identifier(first[1])
        reason = f"({first[1]}) is not a GS1 application identifier" if first and is_unknown else str(error)
        if mode == "on" or BRACKETED.fullmatch(data):
            raise InvalidInput(f"data: {reason}.{f' {PLAIN_TEXT_HINT}' if is_unknown else ''}") from None
    warnings.append({"code": "not_gs1", "message": f"data: was encoded as plain text, not as GS1: {reason}."})
    return None


def _gs1(data: str, elements: list[gs1.Element], kind: BarcodeType, warnings: list[ResultWarning]) -> Symbol:
    text = "".join(f"({each.identifier}){each.value}" for each in elements)
    for each in elements:
        for brackets in BRACKETS.finditer(each.value):
            message = f"data: {brackets[0]} is not an application identifier; it is a part of ({each.identifier})."
            warnings.append({"code": "brackets_in_value", "message": message})
    if kind == "datamatrix":
        data = "".join(f"[{each.identifier}]{each.value}" for each in elements)
        return Symbol(_matrix(data, kind, gs1=True), text, warnings)
    points = [code128.FNC1]
    for each in elements:
        points += map(ord, each.identifier + each.value)
        points += [code128.FNC1] if each.needs_separator and each is not elements[-1] else []
    if len(points) - 1 > MAX_GS1_128_LENGTH:
        raise InvalidInput(
            f"data: must have at most {MAX_GS1_128_LENGTH} characters for GS1-128, got {len(points) - 1}. "
            "datamatrix encodes more."
        )
    return Symbol(_row(code128.modules(points)), text, warnings)


def _plain_number(data: str, kind: BarcodeType, warnings: list[ResultWarning]) -> str:
    """Return a number without spaces and hyphens; an ISBN-10 as ISBN-13."""
    from biip import checksums  # `from biip.checksums` fails while another thread imports biip

    if kind != "ean13":
        return SEPARATORS.sub("", data)
    number = SEPARATORS.sub("", ISBN_NAME.sub("", data.strip(), count=1))
    if re.fullmatch("[0-8][0-9]{11}", number) and checksums.gs1_standard_check_digit(number[:-1]) == int(number[-1]):
        message = f"data: 12 digits got a check digit. If {number} is a UPC-A, use type upca, or 0{number} in ean13."
        warnings.append({"code": "may_be_upca", "message": message})
    if not ISBN_10.fullmatch(number):
        return number
    if sum(place * (10 if digit in "Xx" else int(digit)) for place, digit in enumerate(reversed(number), 1)) % 11:
        raise InvalidInput(f"data: the check digit of ISBN-10 {number} is wrong.")
    body = f"978{number[:9]}"
    converted = f"{body}{checksums.gs1_standard_check_digit(body)}"
    warnings.append({"code": "isbn_10", "message": f"data: ISBN-10 {number} was encoded as ISBN-13 {converted}."})
    return converted


def _matrix(data: str, kind: BarcodeType, **options: bool) -> list[Band]:
    # Without a designator, readers guess the character set and often guess wrong.
    designator = {} if data.isascii() else {"eci": "UTF-8"}
    square = {"forceSquare": True} if kind == "datamatrix" else {}
    try:
        return symbol_bands(zxingcpp.create_barcode(data, MATRIX_FORMATS[kind], **designator, **square, **options))
    except ValueError:
        length = f"{len(data)} characters ({len(data.encode())} bytes)"
        raise InvalidInput(f"data: {length} do not fit into type {kind}. Shorten the text.") from None


def _upce(number: str) -> str:
    """Return the modules of a UPC-E; the encoder of zxing-cpp rejects some of its numbers."""
    from barcode.charsets.ean import CODES, EDGE

    system, body, check = number[0], number[1:7], number[7]
    even = [(str(place) in EVEN_PARITY_PLACES[int(check)]) == (system == "0") for place in range(6)]
    digits = [CODES["B" if is_even else "A"][int(digit)] for digit, is_even in zip(body, even, strict=True)]
    return "".join([EDGE, *digits, UPCE_END_GUARD])


def _code39(data: str) -> str:
    """Return the modules of Code 39 (ISO/IEC 16388) of any length, with wide bars of three modules."""
    from barcode.charsets.code39 import EDGE, MAP, MIDDLE

    if other := next((char for char in data if char not in MAP), None):
        fix = "Use uppercase letters or code128" if other.upper() in MAP else "code128 encodes more characters"
        raise InvalidInput(f"data: must be 0-9, A-Z, space or - . $ / + % for code39, got {other!r}. {fix}.")
    characters: list[str] = [EDGE, *(MAP[char][1] for char in data), EDGE]
    return str(MIDDLE).join(characters)


def _row(modules: str) -> list[Band]:
    return [(modules.encode().translate(TO_PIXELS), 1)]


def with_check_digit(data: str, kind: str) -> str:
    """Return a number of a type in `LENGTHS` with its check digit, which is added if missing and verified otherwise.

    Raises:
        InvalidInput: A character is not a digit, the length is wrong, or the check digit is wrong.
    """
    from biip import checksums, upc

    length = LENGTHS[kind]
    if other := next((char for char in data if char not in "0123456789"), None):
        raise InvalidInput(f"data: must be digits for {kind}, got {other!r}.")
    if len(data) not in (length - 1, length):
        raise InvalidInput(
            f"data: must have {length - 1} digits for {kind}, or {length} with the check digit, got {len(data)}."
        )
    if kind == "upce" and data[0] not in "01":
        raise InvalidInput(f"data: must begin with number system 0 or 1 for upce, got {data[0]}.")
    body = data[: length - 1]
    check = str(upc.Upc.parse(body).check_digit if kind == "upce" else checksums.gs1_standard_check_digit(body))
    if len(data) == length and data[-1] != check:
        raise InvalidInput(f"data: check digit is {data[-1]}, should be {check}.")
    return body + check
