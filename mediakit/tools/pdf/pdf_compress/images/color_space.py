"""Color spaces of images: how many components a pixel has, and what they mean."""

from dataclasses import dataclass
from typing import Literal

import pikepdf
from pikepdf import Array, Name, Stream, String

from mediakit.engines.pdf.objects import dictionary

Family = Literal["gray", "rgb", "cmyk", "indexed", "ink", "other"]
"""`ink` is a single colorant of its own (Separation); `other` is Lab and several colorants."""

COMPONENTS: dict[Family, int] = {"gray": 1, "rgb": 3, "cmyk": 4, "indexed": 1, "ink": 1, "other": 0}
MODES: dict[Family, str] = {"gray": "L", "rgb": "RGB", "cmyk": "CMYK", "indexed": "L", "ink": "L"}
"""Pillow modes that hold the components as they are stored."""

_NAMED: dict[str, Family] = {
    "/DeviceGray": "gray",
    "/CalGray": "gray",
    "/G": "gray",
    "/DeviceRGB": "rgb",
    "/CalRGB": "rgb",
    "/RGB": "rgb",
    "/DeviceCMYK": "cmyk",
    "/CalCMYK": "cmyk",
    "/CMYK": "cmyk",
    "/Separation": "ink",
}
_OF_PROFILE: dict[object, Family] = {1: "gray", 3: "rgb", 4: "cmyk"}


@dataclass(frozen=True)
class ColorSpace:
    """A color space, with its palette if it is indexed."""

    family: Family
    base: Family = "other"
    """Family of the colors of the palette."""
    palette: bytes = b""

    @property
    def components(self) -> int:
        """Number of values of a pixel; 0 for spaces that are not read."""
        return COMPONENTS[self.family]


def read_color_space(value: object) -> ColorSpace:
    """Return a color space; `other` for all that are unknown or damaged."""
    if isinstance(value, Name):
        return ColorSpace(_NAMED.get(str(value), "other"))
    if not isinstance(value, Array) or not len(value):
        return ColorSpace("other")
    kind = str(value[0])
    if kind == "/ICCBased" and len(value) > 1:
        return ColorSpace(_OF_PROFILE.get(dictionary_of(value[1]).get(Name.N), "other"))
    if kind in ("/Indexed", "/I") and len(value) == 4:
        base = read_color_space(value[1]).family
        return ColorSpace("indexed", base, _bytes(value[3]))
    return ColorSpace(_NAMED.get(kind, "other"))


def dictionary_of(value: object) -> pikepdf.Object:
    """Return the dictionary of a stream, or a dictionary itself."""
    return value if isinstance(value, Stream) else dictionary(value)


def _bytes(value: object) -> bytes:
    if isinstance(value, Stream):
        return bytes(value.read_bytes())
    return bytes(value) if isinstance(value, String) else b""
