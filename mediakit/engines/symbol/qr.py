"""QR code symbols (ISO/IEC 18004): text to modules."""

from typing import Literal

import zxingcpp
from PIL import Image

from mediakit.engines.symbol.modules import symbol_image
from mediakit.errors import InvalidInput

ErrorCorrection = Literal["L", "M", "Q", "H"]

LEVELS: tuple[ErrorCorrection, ...] = ("L", "M", "Q", "H")


def encode(data: str, ecc: ErrorCorrection) -> Image.Image:
    """Return the symbol of a text: one pixel per module, black on white, without a quiet zone.

    Raises:
        InvalidInput: The text does not fit at this error correction level.
    """
    try:
        return symbol_image(_create(data, ecc))
    except ValueError:
        raise InvalidInput(_too_long(data, ecc)) from None


def _create(data: str, ecc: ErrorCorrection) -> zxingcpp.Barcode:
    # Without a designator, readers guess the character set and often guess wrong.
    designator = {} if data.isascii() else {"eci": "UTF-8"}
    return zxingcpp.create_barcode(data, zxingcpp.BarcodeFormat.QRCode, ec_level=ecc, **designator)


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
