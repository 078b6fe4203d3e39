"""Every type of barcode, with and without text, at three scales: to look at beside the standards."""

from functools import partial

from mediakit.cli.sheets.sheet import Figure, Section, Sheet
from mediakit.results.image import ImageResult
from mediakit.tools.images.barcode import barcode
from mediakit.tools.images.barcode.symbols import BarcodeType

SAMPLES: dict[BarcodeType, str] = {
    "code128": "MK-2026",
    "code39": "MK-26",
    "ean13": "978020137962",
    "ean8": "9638507",
    "upca": "03600029145",
    "upce": "0123456",
    "itf14": "1540014128876",
    "datamatrix": "https://example.com/417",
    "pdf417": "https://example.com",
    "aztec": "https://example.com/417",
}
SCALES = (1, 3, 10)


def draw(kind: BarcodeType, scale: int, *, text: bool) -> ImageResult:
    """Draw a sample."""
    return barcode(SAMPLES[kind], type=kind, scale=scale, include_text=text)


def figure(kind: BarcodeType, scale: int, *, text: bool) -> Figure:
    """Say what a sample shows."""
    return Figure(f"scale {scale}, {'with' if text else 'without'} text", partial(draw, kind, scale, text=text))


SHEET = Sheet(
    name="barcodes",
    title="Barcodes",
    about="Every type at the scales 1, 3 and 10, with and without text.",
    sections=tuple(
        Section(kind, tuple(figure(kind, scale, text=text) for scale in SCALES for text in (True, False)))
        for kind in SAMPLES
    ),
)
