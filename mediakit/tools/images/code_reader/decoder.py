"""One pass over an image: a single call of zxing-cpp, and what it detects."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import zxingcpp

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image

    Pixels = Image.Image | np.ndarray[Any, Any]

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners, clockwise from the top left of the code in its reading direction."""


class View(NamedTuple):
    """A changed copy of an image, or of a part of it."""

    image: "Image.Image"
    back: Callable[[Point], Point] = lambda point: point
    """Maps a point of the view to the image."""


RETAIL = frozenset({"EAN13", "EAN8", "UPCA", "UPCE", "ISBN"})
MATRIX = frozenset(each.name for each in zxingcpp.barcode_formats_list(zxingcpp.barcode_formats_from_str("AllMatrix")))


@dataclass(frozen=True, slots=True)
class Detection:
    """A code as one pass decoded it."""

    format: str
    """Name of the symbology in zxing-cpp."""
    text: str
    """The text; group separators of GS1 are U+001D."""
    content: bytes
    """The encoded bytes."""
    quad: Quad
    content_type: str
    symbology_identifier: str
    """Symbology identifier (ISO/IEC 15424), as `]Q1`."""
    ec_level: str
    extra: dict[str, Any] = field(default_factory=dict)
    """Symbology-specific facts of zxing-cpp: version, unused error correction, digits of a UPC-E."""

    @property
    def key(self) -> tuple[str, bytes]:
        """Identity of the code, regardless of its position."""
        return self.format, self.content

    @property
    def linear(self) -> bool:
        """Whether the code is linear, so that no error correction detects a misread."""
        return self.format not in MATRIX

    @property
    def width(self) -> float:
        """Pixels along the reading direction."""
        return math.dist(self.quad[0], self.quad[1])

    @property
    def height(self) -> float:
        """Pixels across the reading direction; for linear codes the height over which scan lines agreed."""
        return min(math.dist(self.quad[0], self.quad[3]), math.dist(self.quad[1], self.quad[2]))

    @property
    def center(self) -> Point:
        """Mean of the four corners."""
        return sum(x for x, _ in self.quad) / 4, sum(y for _, y in self.quad) / 4

    @property
    def along_bars(self) -> Quad:
        """Corners of the rectangle with sides along the bars, which the lines of a tilted code cross obliquely."""
        corners = [complex(*corner) for corner in self.quad]
        bars = corners[3] - corners[0] + corners[2] - corners[1]
        if abs(bars) < self.width * MIN_HEIGHT:
            return self.quad
        across = corners[1] - corners[0] + corners[2] - corners[3]
        across -= bars * (across * bars.conjugate()).real / abs(bars) ** 2
        steps = (-across - bars, across - bars, across + bars, bars - across)
        middle = sum(corners) / 4
        return cast("Quad", tuple((at.real, at.imag) for at in (middle + step / 4 for step in steps)))

    @property
    def spare_correction(self) -> float | None:
        """Unused share of the error correction, 0 to 1; None if the symbology does not report it."""
        value = self.extra.get("UEC")
        return None if value is None else float(value)

    def is_near(self, other: "Detection") -> bool:
        """Return whether both may be the same code: their centers are closer than the length of either."""
        reach = max(self.width, self.height, other.width, other.height)
        return math.dist(self.center, other.center) <= max(reach / 2, 8)

    def overlaps(self, other: "Detection") -> bool:
        """Return whether two codes overlap, judged by the distance of their centers."""
        across, along = max(self.height, other.height), max(self.width, other.width)
        return math.dist(self.center, other.center) <= min(across, along) / 2

    def mapped(self, back: Callable[[Point], Point]) -> "Detection":
        """Return the detection with its corners mapped to another image."""
        return replace(self, quad=cast("Quad", tuple(map(back, self.quad))))


_PAIR = re.compile(r"[$%+/](.)", re.DOTALL)

_SHIFTED = {
    "+": bytes(range(ord("a"), ord("z") + 1)),
    "$": bytes(range(1, 27)),
    "/": bytes((*range(ord("!"), ord("!") + 25), ord(":"))),
    "%": bytes((*range(27, 32), *b";<=>?[\\]^_{|}~", 127, 0, *b"@`", 127, 127, 127)),
}
"""Characters of full ASCII by the shift before the letters A to Z (ISO/IEC 16388)."""


def decode_full_ascii(text: str) -> str | None:
    """Decode full ASCII if the text most likely uses it; None for plain Code 39."""
    if "+" not in text or any(not "A" <= match[1] <= "Z" for match in _PAIR.finditer(text)):
        return None
    decoded = _PAIR.sub(lambda match: chr(_SHIFTED[match[0][0]][ord(match[1]) - ord("A")]), text)
    lowercase, uppercase = (sum(test(mark) for mark in decoded) for test in (str.islower, str.isupper))
    is_word = lowercase >= 2 and lowercase > uppercase
    return decoded if decoded.isprintable() and (is_word or not text.startswith("+")) else None


RESTORABLE = ("AztecCode", "DataMatrix", "QRCodeModel1", "QRCodeModel2")
"""Formats with strong error correction; the smallest symbols, such as Micro QR and Aztec runes, appear in noise."""

TEXT_MODE = zxingcpp.TextMode.Plain

WITH_ADD_ON = frozenset({"EAN13", "UPCA", "UPCE", "ISBN"})
MIN_HEIGHT = 0.1
"""Height of a code, relative to its width, from which its sides show the direction of its bars."""
SMALL_SIDE = 1000
"""Pixels of an image up to which it is enlarged to find the thin bars of an add-on."""
MAX_SIDE = 65_535
"""Maximum pixels of a side that zxing-cpp takes."""


@cache
def known_formats() -> dict[str, str]:
    """Return every readable format and group, by the lowercase letters and digits of its name."""
    groups = ("AllReadable", "AllLinear", "AllMatrix", "AllRetail", "AllIndustrial", "AllGS1")
    readable = zxingcpp.barcode_formats_list(zxingcpp.barcode_formats_from_str("AllReadable"))
    names = [*groups, *sorted(each.name for each in readable if each.name != "OtherBarcode")]
    return {name.lower(): name for name in names}


def decode(image: "Pixels", formats: tuple[str, ...], *, single_pass: bool = False) -> list[Detection]:
    """Decode the codes of a gray or color image. A single pass skips rotated, smaller and inverted views."""
    sides: tuple[int, ...] = getattr(image, "shape", ()) or image.size  # type: ignore[assignment]  # of an array
    if max(sides) > MAX_SIDE:  # an enlarged view
        return []
    found = zxingcpp.read_barcodes(
        image,
        formats=_formats(formats),
        try_rotate=not single_pass,
        try_downscale=not single_pass,
        try_invert=not single_pass,
        text_mode=TEXT_MODE,
    )
    return [_to_detection(code) for code in found]


def find_add_ons(image: "Image.Image") -> list[Detection]:
    """Return the retail codes beside which there are two or five digits, which follow the text."""
    views = [image, image.resize((image.width * 2, image.height * 2))] if max(image.size) < SMALL_SIDE else [image]
    for view in views:
        if found := zxingcpp.read_barcodes(
            view, formats=_formats(("EANUPC",)), ean_add_on_symbol=zxingcpp.EanAddOnSymbol.Require, text_mode=TEXT_MODE
        ):
            break
    scale = image.width / view.width
    return [_to_detection(code).mapped(lambda point: (point[0] * scale, point[1] * scale)) for code in found]


def add_on_of(detection: Detection, found: list[Detection]) -> str | None:
    """Return the digits beside a retail code, of the nearest of the codes with the same number."""
    digits = [(each, str(each.extra["EanAddOn"])) for each in found if each.extra.get("EanAddOn")]
    number = detection.text.lstrip("0")
    own = [(each, add_on) for each, add_on in digits if each.text.removesuffix(add_on).strip().lstrip("0") == number]
    nearest = min(own, key=lambda pair: math.dist(pair[0].quad[0], detection.quad[0]), default=None)
    return nearest and nearest[1]


def formats_by_kind(formats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return all, the linear, the matrix and the restorable formats among some formats; empty: all formats."""
    if not formats:
        return {"all": ("AllReadable",), "linear": ("AllLinear",), "matrix": ("AllMatrix",), "restorable": RESTORABLE}
    expanded = _expand(*formats)
    kinds = {"linear": _expand("AllLinear") | {"Code39Ext"}, "matrix": MATRIX, "restorable": {*RESTORABLE}}
    return {"all": formats} | {kind: tuple(sorted(expanded & names)) for kind, names in kinds.items()}


def retail_format(formats: tuple[str, ...]) -> str:
    """Return the name under which zxing-cpp reports an EAN-13 or UPC-A; empty if neither is requested."""
    expanded = _expand(*formats) if formats else {"EAN13"}
    return next((name for name in ("EAN13", "UPCA") if name in expanded), "")


def _expand(*names: str) -> set[str]:
    return {each.name for each in zxingcpp.barcode_formats_list(_formats(names))}


@cache
def _formats(names: tuple[str, ...]) -> Any:
    """Return the zxing-cpp formats; Code 39 as printed, unless its full ASCII is requested by name."""
    requested = zxingcpp.barcode_formats_from_str("|".join(names or ("AllReadable",)))
    expanded = {each.name for each in zxingcpp.barcode_formats_list(requested)}
    if "Code39Ext" not in expanded or "Code39Ext" in names:
        return requested
    as_printed = expanded - {"Code39", "Code39Ext", "OtherBarcode"} | {"Code39Std"}
    return zxingcpp.barcode_formats_from_str("|".join(as_printed))


def _to_detection(code: zxingcpp.Barcode) -> Detection:
    position = code.position
    corners = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    name, text, content = code.format.name, code.text, bytes(code.bytes)
    if name == "Code39" and (decoded := decode_full_ascii(text)):
        name, text, content = "Code39Ext", decoded, decoded.encode()
    return Detection(
        format=name,
        text=text,
        content=content,
        quad=cast("Quad", tuple((float(corner.x), float(corner.y)) for corner in corners)),
        content_type=code.content_type.name.replace("UnknownECI", "Unknown_ECI").lower(),
        symbology_identifier=code.symbology_identifier,
        ec_level=code.ec_level,
        extra=dict(cast("dict[str, Any]", code.extra or {})),
    )
