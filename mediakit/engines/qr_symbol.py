"""QR code symbols (ISO/IEC 18004): text to modules, and modules to a path of SVG."""

import re
from typing import TYPE_CHECKING, Literal, cast

import zxingcpp
from PIL import Image

from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

ErrorCorrection = Literal["L", "M", "Q", "H"]
DARK_RUN = re.compile(rb"\0+")

LEVELS: tuple[ErrorCorrection, ...] = ("L", "M", "Q", "H")


def encode(data: str, ecc: ErrorCorrection) -> Image.Image:
    """Give the symbol, a pixel a module, black on white, without a quiet zone.

    Raises:
        InvalidInput: The text does not fit at this error correction level.
    """
    try:
        image = _symbol(data, ecc).to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    except ValueError:
        raise InvalidInput(_too_long(data, ecc)) from None
    height, width = image.shape
    return Image.frombytes("L", (width, height), bytes(memoryview(cast("Buffer", image))))


def strokes(symbol: Image.Image, margin: int = 0) -> str:
    """Draw each run of dark modules as a line of an SVG path, one module thick.

    Args:
        symbol: What `encode` gave.
        margin: Quiet zone, in modules.
    """
    side, pixels, path = symbol.width, symbol.tobytes(), []
    for y in range(side):
        end = None
        for run in DARK_RUN.finditer(pixels, y * side, (y + 1) * side):
            start, length = run.start() - y * side, run.end() - run.start()
            move = f"M{start + margin} {y + margin}.5" if end is None else f"m{start - end} 0"
            path.append(f"{move}h{length}")
            end = start + length
    return "".join(path)


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
