"""The bundled fonts: CSS for the subsets that a page needs."""

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

import pybase64

Family = Literal["sans", "serif", "round", "mono"]

FOLDER = Path(__file__).parent / "fonts_data"
FILES: dict[Family, str] = {"sans": "inter", "serif": "playfair", "round": "nunito", "mono": "jetbrains-mono"}

SUBSETS: dict[str, str] = json.loads((FOLDER / "subsets.json").read_text("utf-8"))
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
