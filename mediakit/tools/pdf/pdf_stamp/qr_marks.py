"""QR codes as marks: vector modules on a white ground with a quiet zone."""

import pikepdf

from mediakit.engines.pdf.form_xobjects import make_form
from mediakit.engines.symbol.modules import DARK_RUN
from mediakit.engines.symbol.qr import encode
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_stamp.mark import Mark

QUIET_ZONE_MODULES = 4
"""The standard's width of it (ISO/IEC 18004, 6.3.8)."""


def qr_mark(pdf: pikepdf.Pdf, payload: str, color: str) -> Mark:
    """Return the mark of a QR code, one point for each module.

    Raises:
        InvalidInput: The payload is too long.
    """
    try:
        symbol = encode(payload, "M")
    except InvalidInput as error:
        raise InvalidInput(error.message.replace("data:", "qr:", 1)) from error
    side = symbol.width + 2 * QUIET_ZONE_MODULES
    pixels = symbol.tobytes()
    runs = []
    for row in range(symbol.height):
        for run in DARK_RUN.finditer(pixels, row * symbol.width, (row + 1) * symbol.width):
            x = run.start() - row * symbol.width + QUIET_ZONE_MODULES
            runs.append(f"{x} {side - QUIET_ZONE_MODULES - row - 1} {len(run[0])} 1 re")
    ink = " ".join(f"{part / 255:.4g}" for part in bytes.fromhex(color.removeprefix("#")))
    content = f"1 g 0 0 {side} {side} re f\n{ink} rg\n" + "\n".join(runs) + "\nf"
    return Mark(make_form(pdf, content.encode(), (0, 0, side, side)), side, side)
