"""Make the letters below barcodes from the font OCR-B: `uv run --with fonttools docs/ocr_b.py OCRB.otf`.

The font is Matthew Skala's (Debian package fonts-ocr-b), free of any restriction. The package carries its ASCII
characters twice: as a font for PNG, as outlines for SVG, which must look alike where no such font is installed.
"""

# ruff: noqa: INP001  # a script beside the documents, not a package

import json
import sys
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parents[1] / "mediakit" / "tools" / "images" / "barcode" / "fonts"
ASCII = range(0x20, 0x7F)


def subset(font: TTFont) -> None:
    """Keep what ASCII needs."""
    options = Options(layout_features=[], hinting=False, desubroutinize=True, drop_tables=["FFTM", "PfEd"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=ASCII)
    subsetter.subset(font)


def outline(font: TTFont, char: int) -> str:
    """Give a character as a path of SVG, in whole units of the font."""
    pen = SVGPathPen(font.getGlyphSet(), ntos=lambda value: f"{value:.0f}")
    font.getGlyphSet()[font.getBestCmap()[char]].draw(pen)
    return str(pen.getCommands())


if __name__ == "__main__":
    font = TTFont(sys.argv[1])
    subset(font)
    font.save(FOLDER / "ocr-b.otf")
    shapes = {chr(char): outline(font, char) for char in ASCII}
    (FOLDER / "ocr-b.json").write_text(json.dumps(shapes, indent=0) + "\n", encoding="utf-8")
