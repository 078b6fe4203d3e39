"""The bundled fonts: CSS for the subsets that a page needs."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

import pybase64

Family = Literal["sans", "serif", "round", "mono"]

FOLDER = Path(__file__).parent / "fonts_data"
FILES: dict[Family, str] = {"sans": "inter", "serif": "playfair", "round": "nunito", "mono": "jetbrains-mono"}

SUBSETS = {
    "latin": "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,"
    "U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    "latin-ext": "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,"
    "U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    "cyrillic": "U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116",
    "greek": "U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF",
    "vietnamese": "U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,"
    "U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB",
}
"""Characters of each subset, as a CSS `unicode-range`. Not every family has every subset."""


def font_path(family: Family, subset: str = "latin") -> Path:
    """Return the path of the WOFF2 file of a subset: a variable font of the weights 100 to 900."""
    return FOLDER / f"{FILES[family]}-{subset}.woff2"


def font_face_css(text: str, families: tuple[Family, ...]) -> str:
    """Return the `@font-face` rules for a page, with only the subsets that its text needs."""
    chars = set(map(ord, text))
    needed = [name for name in SUBSETS if any(first <= char <= last for first, last in _spans(name) for char in chars)]
    return "".join(_font_face_rule(family, subset) for family in FILES if family in families for subset in needed)


@lru_cache(maxsize=len(FILES) * len(SUBSETS))
def _font_face_rule(family: Family, subset: str) -> str:
    """Return the rule of a subset; empty if the family does not have it."""
    path = font_path(family, subset)
    if not path.exists():
        return ""
    data = pybase64.b64encode(path.read_bytes()).decode()
    return (
        f'@font-face{{font-family:"Mediakit {family}";font-weight:100 900;'
        f'src:url(data:font/woff2;base64,{data})format("woff2");unicode-range:{SUBSETS[subset]}}}\n'
    )


@cache
def _spans(subset: str) -> tuple[tuple[int, int], ...]:
    """Return the first and last code point of each range of a subset."""
    pairs = (part.removeprefix("U+").partition("-") for part in SUBSETS[subset].split(","))
    return tuple((int(first, 16), int(last or first, 16)) for first, _, last in pairs)
