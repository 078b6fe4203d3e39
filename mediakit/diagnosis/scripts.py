"""Which writing the browser can draw: a letter of each beside one that no font has."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageChops

CELL = 60
"""Pixels of the square that a letter is drawn in."""

LATIN = "Latin"
"""The writing that nothing works without."""

UNASSIGNED = "\u0378"
"""Unicode gives this to no letter, so it is drawn as every missing one is."""


@dataclass(frozen=True)
class Script:
    """A kind of writing."""

    letter: str
    package: str
    """The Debian package that has it."""
    family: str
    """The font's name where there is no Debian."""


SCRIPTS: Mapping[str, Script] = {
    LATIN: Script("A", "fonts-noto-core", "Noto Sans"),
    "emoji": Script("\U0001f600", "fonts-noto-color-emoji", "Noto Color Emoji"),
    "CJK": Script("語", "fonts-noto-cjk", "Noto Sans CJK"),
    "Arabic": Script("ع", "fonts-noto-core", "Noto Sans Arabic"),
    "Devanagari": Script("अ", "fonts-noto-core", "Noto Sans Devanagari"),
}


def missing() -> list[str]:
    """Name the scripts that come out as empty boxes.

    Raises:
        MediakitError: The browser draws nothing at all.
    """
    from mediakit.tools.images.capture import capture

    letters = [UNASSIGNED, *(script.letter for script in SCRIPTS.values())]
    cells = "".join(f"<b style='left:{place * CELL}px'>{letter}</b>" for place, letter in enumerate(letters))
    style = f"b{{position:absolute;top:5px;width:{CELL}px;font:400 36px/50px sans-serif;text-align:center}}"
    drawn = capture(f"<style>body{{margin:0}}{style}</style>{cells}", width=CELL * len(letters), height=100).to_pil()
    box, *pictures = (_cell(drawn.convert("L"), place) for place in range(len(letters)))
    return [name for name, picture in zip(SCRIPTS, pictures, strict=True) if _same(picture, box)]


def mend(absent: Sequence[str]) -> str:
    """Write the command that installs the fonts of some scripts, or their names where there is no Debian."""
    scripts = [SCRIPTS[name] for name in absent]
    if shutil.which("apt-get"):
        return f"sudo apt-get install {' '.join(dict.fromkeys(script.package for script in scripts))}"
    return f"install {', '.join(script.family for script in scripts)} (fonts.google.com/noto)"


def _cell(drawn: Image.Image, place: int) -> Image.Image:
    return drawn.crop((place * CELL, 0, (place + 1) * CELL, CELL))


def _same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.difference(one, other).getbbox() is None
