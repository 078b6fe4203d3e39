"""QR code symbols (ISO/IEC 18004): text to modules."""

from typing import Literal

import zxingcpp
from PIL import Image

from mediakit.engines.symbol.modules import symbol_pixels
from mediakit.engines.symbol.qr_masks import best_masked
from mediakit.errors import InvalidInput

ErrorCorrection = Literal["L", "M", "Q", "H"]

LEVELS: tuple[ErrorCorrection, ...] = ("L", "M", "Q", "H")


def encode(data: str, ecc: ErrorCorrection) -> Image.Image:
    """Return the symbol of a text: one pixel per module, black on white, without a quiet zone.

    Raises:
        InvalidInput: The text does not fit at this error correction level.
    """
    try:
        side, pixels = symbol_pixels(_create(data, ecc))
    except ValueError:
        raise InvalidInput(_too_long(data, ecc)) from None
    return Image.frombytes("L", (side, side), best_masked(pixels, side, _any_symbol))


def _create(data: str, ecc: ErrorCorrection, mask: int = 0, **options: int | str) -> zxingcpp.Barcode:
    """Return a code with one of the eight masks: zxing-cpp takes three times as long to choose one as for the rest."""
    if not data.isascii():
        options["eci"] = "UTF-8"  # without a designator, readers guess the character set and often guess wrong
    return zxingcpp.create_barcode(data, zxingcpp.BarcodeFormat.QRCode, ec_level=ecc, dataMask=mask, **options)


def _any_symbol(version: int, mask: int) -> bytes:
    return symbol_pixels(_create("0", "L", mask, version=version))[1]


def _too_long(data: str, ecc: ErrorCorrection) -> str:
    fitting = [level for level in LEVELS[: LEVELS.index(ecc)] if _fits(data, level)]
    fix = f"Use ecc {fitting[-1]} or shorten the text" if fitting else "Shorten the text"
    length = f"{len(data)} characters ({len(data.encode())} bytes)"
    return f"data: {length} do not fit into a QR code at ecc {ecc}. {fix}."


def _fits(data: str, ecc: ErrorCorrection) -> bool:
    try:
        _create(data, ecc)
    except ValueError:
        return False
    return True
