"""QR code symbols (ISO/IEC 18004): text to modules."""

from typing import Literal

import zxingcpp
from PIL import Image

from mediakit.engines.symbol import modules_of
from mediakit.errors import InvalidInput

ErrorCorrection = Literal["L", "M", "Q", "H"]

LEVELS: tuple[ErrorCorrection, ...] = ("L", "M", "Q", "H")


def encode(data: str, ecc: ErrorCorrection) -> Image.Image:
    """Give the symbol, a pixel a module, black on white, without a quiet zone.

    Raises:
        InvalidInput: The text does not fit at this error correction level.
    """
    try:
        return modules_of(_symbol(data, ecc))
    except ValueError:
        raise InvalidInput(_too_long(data, ecc)) from None


def _symbol(data: str, ecc: ErrorCorrection) -> zxingcpp.Barcode:
    # Readers guess the character set of text without a designator, and guess wrong.
    designator = {} if data.isascii() else {"eci": "UTF-8"}
    return zxingcpp.create_barcode(data, zxingcpp.BarcodeFormat.QRCode, ec_level=ecc, **designator)


def _too_long(data: str, ecc: ErrorCorrection) -> str:
    fitting = [level for level in LEVELS[: LEVELS.index(ecc)] if _fits(data, level)]
    mend = f"at ecc {fitting[-1]} they fit" if fitting else "shorten the text"
    length = f"{len(data)} characters ({len(data.encode())} bytes)"
    return f"data: {length} need more than a QR code holds at ecc {ecc}; {mend}."


def _fits(data: str, ecc: ErrorCorrection) -> bool:
    try:
        _symbol(data, ecc)
    except ValueError:
        return False
    return True
