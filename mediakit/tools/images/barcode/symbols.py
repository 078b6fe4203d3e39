"""Symbols: text to the modules of each type, and to the text below them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import zxingcpp

from mediakit.engines.symbol import Band, symbol_bands
from mediakit.errors import InvalidInput
from mediakit.tools.images.barcode import code128, gs1, trade_numbers

BarcodeType = Literal["code128", "code39", "ean13", "ean8", "upca", "upce", "itf14", "datamatrix", "pdf417", "aztec"]
Gs1Mode = Literal["auto", "on", "off"]

MATRIX_FORMATS = {
    "datamatrix": zxingcpp.BarcodeFormat.DataMatrix,
    "pdf417": zxingcpp.BarcodeFormat.PDF417,
    "aztec": zxingcpp.BarcodeFormat.Aztec,
}
TO_PIXELS = bytes.maketrans(b"10", b"\x00\xff")
GS1_TYPES = ("code128", "datamatrix")


@dataclass(frozen=True)
class Symbol:
    """A code without quiet zone and text."""

    rows: Sequence[Band]
    """One byte per module, black on white; a linear code is one row."""
    text: str
    """The encoded text in human-readable form, with its check digit."""

    @property
    def width(self) -> int:
        """Width in modules."""
        return len(self.rows[0].row)


def encode(data: str, kind: BarcodeType, mode: Gs1Mode) -> Symbol:
    """Encode a text.

    Raises:
        InvalidInput: The type cannot encode the text.
    """
    if mode == "on" and kind not in GS1_TYPES:
        raise InvalidInput(f"gs1: requires type {' or '.join(GS1_TYPES)}, got {kind}.")
    if mode == "on" or (mode == "auto" and kind in GS1_TYPES and gs1.is_element_string(data)):
        return _gs1(data, kind)
    if kind in MATRIX_FORMATS:
        return Symbol(_matrix(data, kind), data)
    if kind in trade_numbers.LENGTHS:
        number = trade_numbers.with_check_digit(data, kind)
        return Symbol(_number(number, kind), number)
    if kind == "code39":
        return Symbol(_row(_code39(data)), data)
    return Symbol(_row(code128.modules(code128.code_points(data))), data)


def _gs1(data: str, kind: BarcodeType) -> Symbol:
    elements = gs1.parse(data)
    if kind == "datamatrix":
        return Symbol(_matrix(data, kind, gs1=True), data)
    text = [code128.FNC1]
    for element in elements:
        text += map(ord, element.identifier + element.value)
        text += [code128.FNC1] if element.needs_separator and element is not elements[-1] else []
    if len(text) - 1 > gs1.MAX_GS1_128_LENGTH:
        raise InvalidInput(
            f"data: must have at most {gs1.MAX_GS1_128_LENGTH} characters for GS1-128, got {len(text) - 1}. "
            "datamatrix encodes more."
        )
    return Symbol(_row(code128.modules(text)), data)


def _matrix(data: str, kind: BarcodeType, **options: bool) -> list[Band]:
    # Without a designator, readers guess the character set and often guess wrong.
    designator = {} if data.isascii() else {"eci": "UTF-8"}
    square = {"forceSquare": True} if kind == "datamatrix" else {}
    try:
        return symbol_bands(zxingcpp.create_barcode(data, MATRIX_FORMATS[kind], **designator, **square, **options))
    except ValueError:
        length = f"{len(data)} characters ({len(data.encode())} bytes)"
        raise InvalidInput(f"data: {length} do not fit into type {kind}. Shorten the text.") from None


def _number(number: str, kind: BarcodeType) -> list[Band]:
    if kind == "itf14":
        return [Band(symbol_bands(zxingcpp.create_barcode(number, zxingcpp.BarcodeFormat.ITF))[0].row, 1)]
    return _row(trade_numbers.upce_modules(number) if kind == "upce" else trade_numbers.ean_modules(number))


def _code39(data: str) -> str:
    """Return the modules of Code 39 (ISO/IEC 16388) of any length, with wide bars of three modules."""
    from barcode.charsets.code39 import EDGE, MAP, MIDDLE

    if other := next((char for char in data if char not in MAP), None):
        fix = "Use uppercase letters or code128" if other.upper() in MAP else "code128 encodes more characters"
        raise InvalidInput(f"data: must be 0-9, A-Z, space or - . $ / + % for code39, got {other!r}. {fix}.")
    characters: list[str] = [EDGE, *(MAP[char][1] for char in data), EDGE]
    return str(MIDDLE).join(characters)


def _row(modules: str) -> list[Band]:
    return [Band(modules.encode().translate(TO_PIXELS), 1)]
