"""A sheet of every type of barcode, with and without text, at three scales: to look at beside the standards."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from mediakit.core.results import ImageResult
from mediakit.tools.barcode import barcode
from mediakit.tools.barcode.symbols import BarcodeType

SAMPLES: dict[BarcodeType, str] = {
    "code128": "MK-2026",
    "code39": "MK-26",
    "ean13": "978020137962",
    "ean8": "9638507",
    "upca": "03600029145",
    "upce": "0123456",
    "itf14": "1540014128876",
    "datamatrix": "https://example.com/417",
    "pdf417": "https://example.com",
    "aztec": "https://example.com/417",
}
SCALES = (1, 3, 10)
SPACE = 40
"""Pixels between the drawings, and around them."""
HEADING = 72
PAPER, INK = 0xD9, 0x33
"""Grays: a page that is darker than the drawings, so that their quiet zones show."""


def contact_sheet(folder: Path) -> Path:
    """Draw the sheet into a folder and give its path."""
    rows = [(kind, _drawings(kind, data)) for kind, data in SAMPLES.items()]
    columns = [max(drawings[place].width for _, drawings in rows) for place in range(len(SCALES) * 2)]
    heights = [HEADING + max(drawing.height for drawing in drawings) for _, drawings in rows]
    sheet = Image.new("L", (_length(columns), _length(heights)), PAPER)
    top = SPACE
    for (kind, drawings), height in zip(rows, heights, strict=True):
        ImageDraw.Draw(sheet).text((SPACE, top), kind, INK, ImageFont.load_default(HEADING * 0.7))
        left = SPACE
        for drawing, width in zip(drawings, columns, strict=True):
            sheet.paste(drawing, (left, top + HEADING))
            left += width + SPACE
        top += height + SPACE
    path = folder / "barcode-sheet.png"
    sheet.save(path, optimize=True)
    return path


def _drawings(kind: BarcodeType, data: str) -> list[Image.Image]:
    made = [barcode(data, type=kind, scale=scale, include_text=text) for scale in SCALES for text in (True, False)]
    return [_gray(picture) for picture in made]


def _gray(picture: ImageResult) -> Image.Image:
    return picture.to_pil().convert("L")


def _length(parts: list[int]) -> int:
    return sum(parts) + SPACE * (len(parts) + 1)
