"""A look at a picture: one call of zxing-cpp."""

from functools import cache
from typing import TYPE_CHECKING, Any, cast

import zxingcpp

from mediakit.tools.images.code_reader import code39
from mediakit.tools.images.code_reader.sighting import Sighting

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image

    Pixels = Image.Image | np.ndarray[Any, Any]

CONTENT_TYPES = {
    "Text": "text",
    "Binary": "binary",
    "Mixed": "mixed",
    "GS1": "gs1",
    "ISO15434": "iso15434",
    "UnknownECI": "unknown_eci",
}

ADD_ON = zxingcpp.EanAddOnSymbol
PLAIN = zxingcpp.TextMode.Plain


@cache
def known() -> dict[str, str]:
    """Name every format and group that can be read, by the lower-case letters and digits of its name."""
    groups = ("AllReadable", "AllLinear", "AllMatrix", "AllRetail", "AllIndustrial", "AllGS1")
    every = zxingcpp.barcode_formats_list(zxingcpp.barcode_formats_from_str("AllReadable"))
    names = [*groups, *sorted(each.name for each in every if each.name != "OtherBarcode")]
    return {name.lower(): name for name in names}


def look(picture: "Pixels", formats: tuple[str, ...], *, straight: bool = False) -> list[Sighting]:
    """Read the codes of a grey or coloured picture.

    Args:
        picture: The picture.
        formats: Names of formats and groups; none: every one that can be read.
        straight: Whether to look in reading direction and at full size alone.
    """
    found = zxingcpp.read_barcodes(
        picture,
        formats=_formats(formats),
        try_rotate=not straight,
        try_downscale=not straight,
        try_invert=not straight,
        text_mode=PLAIN,
    )
    return [_sighting(code) for code in found]


def add_on(picture: "Pixels") -> list[Sighting]:
    """Read retail codes that have two or five digits beside them; these follow the text after a space."""
    formats = _formats(("EANUPC",))
    found = zxingcpp.read_barcodes(picture, formats=formats, ean_add_on_symbol=ADD_ON.Require, text_mode=PLAIN)
    return [_sighting(code) for code in found]


def linear(formats: tuple[str, ...]) -> tuple[str, ...]:
    """Give those of some formats that are made of bars alone."""
    return tuple(sorted(_within(*formats) & _within("AllLinear"))) if formats else ("AllLinear",)


def matrix(formats: tuple[str, ...]) -> tuple[str, ...]:
    """Give those of some formats that are not made of bars alone."""
    return tuple(sorted(_within(*formats) & _within("AllMatrix"))) if formats else ("AllMatrix",)


def _within(*names: str) -> set[str]:
    return {each.name for each in zxingcpp.barcode_formats_list(_formats(names))}


@cache
def _formats(names: tuple[str, ...]) -> Any:
    """Give the formats to look for; Code 39 as it is printed, unless its full ASCII is asked for by name."""
    asked = zxingcpp.barcode_formats_from_str("|".join(names or ("AllReadable",)))
    every = {each.name for each in zxingcpp.barcode_formats_list(asked)}
    if "Code39Ext" not in every or "Code39Ext" in names:
        return asked
    return zxingcpp.barcode_formats_from_str(
        "|".join((every - {"Code39", "Code39Ext", "OtherBarcode"}) | {"Code39Std"})
    )


def _sighting(code: zxingcpp.Barcode) -> Sighting:
    place = code.position
    corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
    first, second, third, fourth = ((float(corner.x), float(corner.y)) for corner in corners)
    name, text, content = code.format.name, code.text, bytes(code.bytes)
    if name == "Code39" and (meant := code39.words(text)):
        name, text, content = "Code39Ext", meant, meant.encode()
    return Sighting(
        format=name,
        text=text,
        content=content,
        quad=(first, second, third, fourth),
        content_type=CONTENT_TYPES.get(code.content_type.name, "text"),
        symbology_identifier=code.symbology_identifier,
        ec_level=code.ec_level,
        extra=dict(cast("dict[str, Any]", code.extra or {})),
    )
