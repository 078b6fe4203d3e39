"""QR codes as marks, and whether they can be read back."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
import pikepdf
import zxingcpp
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.drawn_lines import Mark
from mediakit.engines.pdf.page_content import make_form
from mediakit.engines.pdf.scaling import POINTS_PER_MM
from mediakit.engines.symbol import DARK_RUN, encode
from mediakit.errors import InvalidInput

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


DPI = 200
"""Resolution of the scan: that of office scanners, and less than that of phones."""

LARGEST_MM = 80.0
"""Codes that are larger are read at this width."""

STEP = 1.25
"""Factor between the widths that are tried for the error message."""


MAX_PAGES_READ = 20

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class PlacedCode:
    """A code on a page as it is seen."""

    payload: str
    box: tuple[float, float, float, float]
    """Left, top, right and bottom in points from the top left."""


def require_readable(mark: Mark, payload: str, width: float, opacity: float) -> None:
    """Read a code back at its width in millimeters on white paper, drawn with an opacity from 0 to 1.

    Raises:
        InvalidInput: A scan cannot be read.
    """
    larger = width
    while not _is_readable(mark, payload, larger, opacity):
        if larger >= LARGEST_MM:
            raise InvalidInput("qr: the code cannot be read back. Use a darker color or a higher opacity.")
        larger *= STEP
    if larger > width:
        fix = f"Use a size of at least {-(-larger // 1):.0f}, or shorten the content"
        raise InvalidInput(f"qr: the code cannot be read back at {width:g} mm. {fix}.")


def unreadable_pages(content: bytes, password: str | None, codes: Mapping[int, PlacedCode]) -> list[int]:
    """Return the pages, by index, on which a code, of the first 20, cannot be read among the content of the page."""
    from mediakit.engines.pdf.mupdf import opened  # imports PyMuPDF

    with opened(content, password) as document:
        read = dict(list(codes.items())[:MAX_PAGES_READ])
        return [index for index, code in read.items() if not _says(_gray(document[index], code.box), code.payload)]


def _is_readable(mark: Mark, payload: str, width: float, opacity: float) -> bool:
    pixels = 255 - (255 - _scan(mark, min(width, LARGEST_MM)).astype(float)) * opacity
    return _says(pixels.astype(np.uint8), payload)


def _says(pixels: Pixels, payload: str) -> bool:
    found = zxingcpp.read_barcodes(pixels, formats=zxingcpp.barcode_formats_from_str("QRCode"))
    return any(code.text == payload for code in found)


def _gray(page: Any, box: tuple[float, float, float, float] | None = None) -> Pixels:
    """Return the gray pixels of a page, or of a box on it."""
    import pymupdf

    drawn = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY, clip=box)
    return np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)[:, : drawn.width].copy()


def _scan(mark: Mark, width: float) -> "np.ndarray":
    """Return the gray pixels of a code on a page of its size."""
    import pymupdf

    side = width * POINTS_PER_MM
    pdf = pikepdf.new()
    page = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, round(side, 4), round(side, 4)]),
        Resources=Dictionary(XObject=Dictionary(Mark=pdf.copy_foreign(mark.form))),
        Contents=pdf.make_stream(f"{side / mark.width:.6f} 0 0 {side / mark.height:.6f} 0 0 cm /Mark Do".encode()),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    target = BytesIO()
    pdf.save(target)
    with pymupdf.open(stream=target.getvalue()) as document:  # type: ignore[no-untyped-call]
        return _gray(document[0])
