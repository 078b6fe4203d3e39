"""QR codes and barcodes in own HTML: SVG for text, a data: URI for attributes and styles."""

from typing import Literal

import pybase64

from mediakit.tools.documents.mail_merge.row import RowProblem

CodeKind = Literal["qr", "barcode"]

MAX_QR, MAX_BARCODE = 1500, 80
"""Characters of a code."""

QR_QUIET_ZONE, BARCODE_QUIET_ZONE = 4, 10
"""Modules of white around a code, as ISO/IEC 18004 and 15417 require."""

QR_SIZE, BARCODE_HEIGHT, BARCODE_MODULE = 132, 56, 1.5
"""Default size in CSS pixels; the classes `qr` and `barcode` are for other sizes."""


def code_svg(kind: CodeKind, column: str, text: str) -> str:
    """Return a code as SVG; empty for an empty text.

    Raises:
        RowProblem: The code cannot hold the text.
    """
    if not text:
        return ""
    return _qr(column, text) if kind == "qr" else _barcode(column, text)


def code_uri(kind: CodeKind, column: str, text: str) -> str:
    """Return a code as the data: URI of an SVG; empty for an empty text.

    Raises:
        RowProblem: The code cannot hold the text.
    """
    svg = code_svg(kind, column, text)
    return f"data:image/svg+xml;base64,{pybase64.b64encode(svg.encode()).decode()}" if svg else ""


def _qr(column: str, text: str) -> str:
    from mediakit.engines.symbol import svg_path
    from mediakit.engines.symbol.qr import encode

    if len(text) > MAX_QR:
        raise RowProblem(f"{column} must have at most {MAX_QR} characters for a QR code, got {len(text)}.")
    try:
        symbol = encode(text, "M")
    except ValueError as error:
        raise RowProblem(f"{column} does not fit into a QR code: {error}") from None
    side = symbol.width + 2 * QR_QUIET_ZONE
    path = f'<path stroke="#000" d="{svg_path(symbol, QR_QUIET_ZONE)}"/>'
    return _svg("qr", QR_SIZE, QR_SIZE, f"0 0 {side} {side}", f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/>{path}')


def _barcode(column: str, text: str) -> str:
    import zxingcpp

    if len(text) > MAX_BARCODE or not (text.isascii() and text.isprintable()):
        raise RowProblem(f"{column} must have at most {MAX_BARCODE} printable ASCII characters for a barcode.")
    symbol = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.Code128)
    image = symbol.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    bars = bytes(memoryview(image))[: image.shape[1]]  # type: ignore[arg-type]  # its stub lacks the buffer protocol
    width = len(bars) + 2 * BARCODE_QUIET_ZONE
    path = "".join(f"M{x}.5 0v1" for x, value in enumerate(bars, BARCODE_QUIET_ZONE) if not value)
    content = f'<path fill="#fff" d="M0 0h{width}v1H0z"/><path stroke="#000" d="{path}"/>'
    return _svg("barcode", width * BARCODE_MODULE, BARCODE_HEIGHT, f"0 0 {width} 1", content, stretch=True)


def _svg(name: str, width: float, height: float, box: str, content: str, *, stretch: bool = False) -> str:
    aspect = ' preserveAspectRatio="none"' if stretch else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" width="{width:g}" height="{height:g}" viewBox="{box}"'
        f'{aspect} shape-rendering="crispEdges">{content}</svg>'
    )
