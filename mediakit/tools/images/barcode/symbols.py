"""Text to the modules of each type, and to what is printed below them."""

from dataclasses import dataclass
from typing import Literal

import zxingcpp
from PIL import Image

from mediakit.engines.symbol import modules_of
from mediakit.errors import InvalidInput
from mediakit.tools.images.barcode import code39, code128, digits, gs1, upce

BarcodeType = Literal["code128", "code39", "ean13", "ean8", "upca", "upce", "itf14", "datamatrix", "pdf417", "aztec"]
Gs1 = Literal["auto", "on", "off"]

MATRIX = {
    "datamatrix": zxingcpp.BarcodeFormat.DataMatrix,
    "pdf417": zxingcpp.BarcodeFormat.PDF417,
    "aztec": zxingcpp.BarcodeFormat.Aztec,
}
NUMBERS = {
    "ean13": zxingcpp.BarcodeFormat.EAN13,
    "ean8": zxingcpp.BarcodeFormat.EAN8,
    "upca": zxingcpp.BarcodeFormat.UPCA,
    "itf14": zxingcpp.BarcodeFormat.ITF,
}
TO_PIXELS = {ord("1"): "\x00", ord("0"): "\xff"}
WITH_GS1 = ("code128", "datamatrix")


@dataclass(frozen=True)
class Symbol:
    """A code without its surroundings."""

    modules: Image.Image
    """A pixel a module, black on white; a linear code is one row."""
    text: str
    """What the code holds, with its check digit, as people read it."""


def encode(data: str, kind: BarcodeType, wish: Gs1) -> Symbol:
    """Make the symbol of a text.

    Raises:
        InvalidInput: The type cannot hold the text.
    """
    if wish == "on" and kind not in WITH_GS1:
        raise InvalidInput(f"gs1: goes with type {' or '.join(WITH_GS1)}, not {kind}.")
    if wish == "on" or (wish == "auto" and kind in WITH_GS1 and gs1.looks_like(data)):
        return _gs1(data, kind)
    if kind in MATRIX:
        return Symbol(_matrix(data, kind), data)
    if kind in digits.LENGTHS:
        number = digits.completed(data, kind)
        return Symbol(_row(upce.modules(number)) if kind == "upce" else _number(number, kind), number)
    if kind == "code39":
        return Symbol(_row(code39.modules(data)), data)
    return Symbol(_row(code128.modules(code128.code_points(data))), data)


def _gs1(data: str, kind: BarcodeType) -> Symbol:
    elements = gs1.elements(data)
    if kind == "datamatrix":
        return Symbol(_matrix(data, kind, gs1=True), data)
    text = [code128.FNC1]
    for element in elements:
        text += map(ord, element.identifier + element.value)
        text += [code128.FNC1] if element.ends and element is not elements[-1] else []
    if len(text) - 1 > gs1.LONGEST_LINEAR:
        raise InvalidInput(
            f"data: GS1-128 holds at most {gs1.LONGEST_LINEAR} characters, got {len(text) - 1}; datamatrix holds more."
        )
    return Symbol(_row(code128.modules(text)), data)


def _matrix(data: str, kind: BarcodeType, **options: bool) -> Image.Image:
    # Readers guess the character set of text without a designator, and guess wrong.
    designator = {} if data.isascii() else {"eci": "UTF-8"}
    square = {"forceSquare": True} if kind == "datamatrix" else {}
    try:
        return modules_of(zxingcpp.create_barcode(data, MATRIX[kind], **designator, **square, **options))
    except ValueError:
        length = f"{len(data)} characters ({len(data.encode())} bytes)"
        raise InvalidInput(f"data: {length} need more than a {kind} holds; shorten the text.") from None


def _number(number: str, kind: BarcodeType) -> Image.Image:
    image = modules_of(zxingcpp.create_barcode(number, NUMBERS[kind]))
    return image.crop((0, 0, image.width, 1))


def _row(modules: str) -> Image.Image:
    return Image.frombytes("L", (len(modules), 1), modules.translate(TO_PIXELS).encode("latin-1"))
