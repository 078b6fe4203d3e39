"""The contact sheet of barcodes: every type, with and without text, at three scales."""

from functools import partial

from mediakit.cli.contact_sheets.contact_sheet import ContactSheet, Figure, Section
from mediakit.tools.images.barcode import barcode
from mediakit.tools.images.barcode.symbols import BarcodeType

SAMPLE_DATA: dict[BarcodeType, str] = {
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


def _figure(kind: BarcodeType, scale: int, *, include_text: bool) -> Figure:
    render = partial(barcode, SAMPLE_DATA[kind], type=kind, scale=scale, include_text=include_text)
    return Figure(f"scale {scale}, {'with' if include_text else 'without'} text", render)


CONTACT_SHEET = ContactSheet(
    name="barcodes",
    title="Barcodes",
    description="Every type at scales 1, 3 and 10, with and without text.",
    sections=tuple(
        Section(kind, tuple(_figure(kind, scale, include_text=text) for scale in SCALES for text in (True, False)))
        for kind in SAMPLE_DATA
    ),
)
