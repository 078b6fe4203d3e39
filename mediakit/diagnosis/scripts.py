"""Scripts (writing systems) that the browser can render.

A test letter of each script is compared with the glyph that browsers render for missing letters.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageChops

CELL = 60
"""Width and height, in pixels, of the square for each letter."""

LATIN = "Latin"
"""The script that every tool requires."""

UNASSIGNED = "\u0378"
"""A code point without a character, which renders as the glyph for missing letters."""


@dataclass(frozen=True)
class Script:
    """A script, and fonts that contain it."""

    letter: str
    package: str
    """Debian package of a font."""
    family: str
    """Font family to install on other systems."""


SCRIPTS: Mapping[str, Script] = {
    LATIN: Script("A", "fonts-noto-core", "Noto Sans"),
    "emoji": Script("\U0001f600", "fonts-noto-color-emoji", "Noto Color Emoji"),
    "CJK": Script("語", "fonts-noto-cjk", "Noto Sans CJK"),
    "Arabic": Script("ع", "fonts-noto-core", "Noto Sans Arabic"),
    "Devanagari": Script("अ", "fonts-noto-core", "Noto Sans Devanagari"),
}


def missing_scripts() -> list[str]:
    """Return the scripts that render as empty boxes.

    Raises:
        MediakitError: The browser cannot render.
    """
    from mediakit.tools.images.capture import capture

    letters = [UNASSIGNED, *(script.letter for script in SCRIPTS.values())]
    cells = "".join(f"<b style='left:{index * CELL}px'>{letter}</b>" for index, letter in enumerate(letters))
    style = f"b{{position:absolute;top:5px;width:{CELL}px;font:400 36px/50px sans-serif;text-align:center}}"
    image = capture(f"<style>body{{margin:0}}{style}</style>{cells}", width=CELL * len(letters), height=100).to_pil()
    box, *glyphs = (_cell(image.convert("L"), index) for index in range(len(letters)))
    return [name for name, glyph in zip(SCRIPTS, glyphs, strict=True) if _are_equal(glyph, box)]


def install_command(missing: Sequence[str]) -> str:
    """Return the command that installs fonts for scripts on Debian, or the names of the fonts on other systems."""
    scripts = [SCRIPTS[name] for name in missing]
    if shutil.which("apt-get"):
        return f"sudo apt-get install {' '.join(dict.fromkeys(script.package for script in scripts))}"
    return f"install {', '.join(script.family for script in scripts)} (fonts.google.com/noto)"


def _cell(image: Image.Image, index: int) -> Image.Image:
    return image.crop((index * CELL, 0, (index + 1) * CELL, CELL))


def _are_equal(first: Image.Image, second: Image.Image) -> bool:
    return ImageChops.difference(first, second).getbbox() is None
