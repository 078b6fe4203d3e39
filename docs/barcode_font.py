"""Write the font of the text below barcodes: `uv run --with fonttools docs/barcode_font.py OCRB.otf`.

The font is OCR-B by Matthew Skala (Debian package fonts-ocr-b), which is free of restrictions. mediakit contains its
ASCII characters twice: as a font for PNG, and as outlines for SVG, because an SVG viewer may not have the font.
"""

# ruff: noqa: INP001  # a script, not part of a package

import json
import sys
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parents[1] / "mediakit" / "tools" / "images" / "barcode" / "fonts"
ASCII = range(0x20, 0x7F)


def subset(font: TTFont) -> None:
    """Remove everything from the font that ASCII text does not need."""
    options = Options(layout_features=[], hinting=False, desubroutinize=True, drop_tables=["FFTM", "PfEd"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=ASCII)
    subsetter.subset(font)


def outline(font: TTFont, char: int) -> str:
    """Return the outline of a character as an SVG path in font units."""
    pen = SVGPathPen(font.getGlyphSet(), ntos=lambda value: f"{value:.0f}")
    font.getGlyphSet()[font.getBestCmap()[char]].draw(pen)
    return str(pen.getCommands())


if __name__ == "__main__":
    font = TTFont(sys.argv[1])
    subset(font)
    font.save(FOLDER / "ocr-b.otf")
    shapes = {chr(char): outline(font, char) for char in ASCII}
    (FOLDER / "ocr-b.json").write_text(json.dumps(shapes, indent=0) + "\n", encoding="utf-8")
