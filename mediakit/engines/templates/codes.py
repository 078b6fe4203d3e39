"""The filters `qr`, `barcode` and `image` of HTML: codes and images as SVG in a text, and as data: URIs elsewhere.

The packages for codes are imported when a template has a code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import pybase64

from mediakit.core.messages import quote
from mediakit.engines.templates.filters import Filter, ValueProblem, as_text

MAX_QR, MAX_BARCODE = 1500, 80
"""Characters of a code."""

QR_QUIET_ZONE, BARCODE_QUIET_ZONE = 4, 10
"""Modules of white around a code, as ISO/IEC 18004 and 15417 require."""

QR_SIZE, BARCODE_HEIGHT, BARCODE_MODULE = 132, 56, 1.5
"""Default size in CSS pixels; the classes `qr` and `barcode` are for other sizes."""


@dataclass(frozen=True)
class Code:
    """A code or an image in a page; empty for an empty value."""

    uri: str
    """A data: URI, for attributes and styles."""
    svg: str = ""
    """The element in a text; that of an image has the name of its value as its class."""

    def element(self, name: str) -> str:
        """Return the element in a text."""
        return self.svg or (f'<img class="{escape(name)}" src="{escape(self.uri)}" alt="">' if self.uri else "")


def qr(value: Any, quiet_zone: Any = QR_QUIET_ZONE) -> Code:
    """Return a QR code with error correction level M, and with a number of white modules around it.

    Raises:
        ValueProblem: The code cannot hold the text.
    """
    from mediakit.engines.symbol import encode, svg_path

    if not (text := as_text(value).strip()):
        return Code("")
    if len(text) > MAX_QR:
        raise ValueProblem(f"must have at most {MAX_QR} characters for a QR code, got {len(text)}")
    try:
        symbol = encode(text, "M")
    except ValueError as error:
        raise ValueProblem(f"does not fit into a QR code: {error}".rstrip(".")) from None
    margin = _number(quiet_zone, "qr", 20)
    side = symbol.width + 2 * margin
    path = f'<path stroke="#000" d="{svg_path(symbol, margin)}"/>'
    return _code("qr", QR_SIZE, QR_SIZE, f"0 0 {side} {side}", f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/>{path}')


def barcode(value: Any, max_width: Any = 0, quiet_zone: Any = BARCODE_QUIET_ZONE) -> Code:
    """Return a Code 128 barcode (ISO/IEC 15417).

    Args:
        value: Printable ASCII characters.
        max_width: The modules have the most whole pixels for which the bars fit; 0 for modules of 1.5 pixels.
        quiet_zone: White modules on each side.

    Raises:
        ValueProblem: The code cannot hold the text.
    """
    import zxingcpp

    if not (text := as_text(value).strip()):
        return Code("")
    if len(text) > MAX_BARCODE or not (text.isascii() and text.isprintable()):
        raise ValueProblem(f"must have at most {MAX_BARCODE} printable ASCII characters for a barcode")
    symbol = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.Code128)
    image = symbol.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    bars = bytes(memoryview(image))[: image.shape[1]]  # type: ignore[arg-type]  # its stub lacks the buffer protocol
    limit, margin = _number(max_width, "barcode", 4000), _number(quiet_zone, "barcode", 40)
    width = len(bars) + 2 * margin
    module = max(1, limit // width) if limit else BARCODE_MODULE
    path = "".join(f"M{x}.5 0v1" for x, shade in enumerate(bars, margin) if not shade)
    content = f'<path fill="#fff" d="M0 0h{width}v1H0z"/><path stroke="#000" d="{path}"/>'
    return _code("barcode", width * module, BARCODE_HEIGHT, f"0 0 {width} 1", content, stretch=True)


def image(value: Any) -> Code:
    """Return an image.

    Raises:
        ValueProblem: The value is not a data: URI of an image.
    """
    uri = as_text(value).strip()
    if uri and not uri.lower().startswith("data:image/"):
        raise ValueProblem(f"must be an image as a data: URI for the filter image, got {quote(uri)}")
    return Code(uri)


FILTERS: Mapping[str, Filter] = {
    "qr": Filter(qr, (0, 1)),
    "barcode": Filter(barcode, (0, 2)),
    "image": Filter(image, is_image=True),
}
"""Filters of HTML by name."""


def _number(value: Any, name: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueProblem(f"cannot be drawn: {name} takes whole numbers from 0 to {most}")
    return value


def _code(name: str, width: float, height: float, box: str, content: str, *, stretch: bool = False) -> Code:
    aspect = ' preserveAspectRatio="none"' if stretch else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" width="{width:g}" height="{height:g}" viewBox="{box}"'
        f'{aspect} shape-rendering="crispEdges">{content}</svg>'
    )
    return Code(f"data:image/svg+xml;base64,{pybase64.b64encode(svg.encode()).decode()}", svg)
