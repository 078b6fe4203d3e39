"""The letters below the bars: OCR-B (ISO 1073-2), as EAN and UPC show it; Inter where OCR-B has no such letter."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

FOLDER = Path(__file__).parent / "fonts"

UNITS = 1000
"""Of the font, in an em."""
ADVANCE = 723
"""Width of every character of OCR-B, in units."""
NARROWEST = 620
"""Width of a cell that a character just fits into, in units."""
DIGIT = 787
"""Height of a digit of OCR-B, in units."""
BELOW = 14
"""How far a digit reaches below the line, in units."""

Face = Literal["ocr-b", "inter"]


def face_for(text: str) -> Face:
    """Choose the font that has all characters of a text."""
    return "ocr-b" if text.isascii() else "inter"


def printable(text: str) -> str:
    """Give a text as it is printed, a space for what has no shape."""
    return "".join(char if char.isprintable() else " " for char in text)


def em_for(cell: float, height: float) -> float:
    """Give the size of the font for digits of a height, less where a cell is too narrow for it."""
    return min(height / DIGIT, cell / NARROWEST) * UNITS


@lru_cache(maxsize=1024)
def glyph(char: str, cell: int, height: int) -> Image.Image:
    """Draw a character in the middle of a cell, black on white.

    Args:
        char: What to draw.
        cell: Width of the picture, in pixels.
        height: Of a digit, in pixels; the picture has a third more, for descenders.
    """
    em = max(1.0, em_for(cell, height))
    image = Image.new("L", (cell, height + height // 3), 255)
    line = height - em * BELOW / UNITS
    ImageDraw.Draw(image).text((cell / 2, line), char, 0, _font(face_for(char), em), anchor="ms")
    return image


@lru_cache(maxsize=64)
def _font(face: Face, em: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_path(face), em, layout_engine=ImageFont.Layout.BASIC)


def _path(face: Face) -> Path:
    if face == "ocr-b":
        return FOLDER / "ocr-b.otf"
    from mediakit.engines.templates.fonts import FACES

    return FACES[0].path


@lru_cache(maxsize=1)
def outlines() -> dict[str, str]:
    """Give the outline of each ASCII character of OCR-B as a path of SVG, in units of the font, y upwards."""
    shapes: dict[str, str] = json.loads((FOLDER / "ocr-b.json").read_text(encoding="utf-8"))
    return shapes
