"""Fonts of the text below the bars: OCR-B (ISO 1073-2), as in EAN and UPC, and Inter for letters that OCR-B lacks."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

FONT_FOLDER = Path(__file__).parent / "fonts"

UNITS_PER_EM = 1000
"""Font units per em."""
ADVANCE_UNITS = 723
"""Width of every character of OCR-B."""
MIN_CELL_UNITS = 620
"""Width of the narrowest cell into which a character fits."""
DIGIT_HEIGHT_UNITS = 787
"""Height of a digit of OCR-B."""
DESCENT_UNITS = 14
"""Depth of a digit below the baseline."""

Face = Literal["ocr-b", "inter"]


def face_for(text: str) -> Face:
    """Return the font that has all characters of a text."""
    return "ocr-b" if text.isascii() else "inter"


def printable(text: str) -> str:
    """Replace characters that cannot be printed with spaces."""
    return "".join(char if char.isprintable() else " " for char in text)


def em_size(cell: float, height: float) -> float:
    """Return the font size for digits of a height, reduced if the cells are too narrow."""
    return min(height / DIGIT_HEIGHT_UNITS, cell / MIN_CELL_UNITS) * UNITS_PER_EM


def glyph(char: str, cell: int, height: int) -> Image.Image:
    """Render a character centered in a cell, black on white.

    Args:
        char: The character.
        cell: Width of the image, in pixels.
        height: Height of a digit, in pixels; the image is a third higher for descenders.
    """
    em = max(1.0, em_size(cell, height))
    image = Image.new("L", (cell, height + height // 3), 255)
    line = height - em * DESCENT_UNITS / UNITS_PER_EM
    ImageDraw.Draw(image).text((cell / 2, line), char, 0, _font(face_for(char), em), anchor="ms")
    return image


@lru_cache(maxsize=64)
def _font(face: Face, em: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_path(face), em, layout_engine=ImageFont.Layout.BASIC)


def _path(face: Face) -> Path:
    if face == "ocr-b":
        return FONT_FOLDER / "ocr-b.otf"
    from mediakit.engines.fonts import FONT_FACES

    return FONT_FACES[0].path


@lru_cache(maxsize=1)
def outlines() -> dict[str, str]:
    """Return the outline of each ASCII character of OCR-B as an SVG path, in font units, y upward."""
    shapes: dict[str, str] = json.loads((FONT_FOLDER / "ocr-b.json").read_text(encoding="utf-8"))
    return shapes
