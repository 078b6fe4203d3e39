"""`barcode` compared with bwip-js (npm) and python-barcode (PyPI): four types as PNG, one as SVG."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import vl_convert
import zxingcpp
from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case, NotMeasured
from bench.worker import node_peer, ours, python_peer

SCALE = 3
TEXTS = {
    "code128": "MK-2026-000417",
    "ean13": "9780201379624",
    "datamatrix": "https://www.example.com/parts/000417",
    "pdf417": "https://www.example.com/parts/000417",
}
MODULE_MM = 0.254
"""Module width of python-barcode: three pixels at 300 dpi."""


def with_mediakit(values: Mapping[str, Any]) -> Job:
    data, options = values["data"], {name: value for name, value in values.items() if name != "data"}
    return lambda: mediakit.barcode(data, **options).content


def with_python_barcode(values: Mapping[str, Any]) -> Job:
    import barcode
    from barcode.writer import ImageWriter, SVGWriter

    if values["type"] not in barcode.PROVIDED_BARCODES:
        raise NotMeasured(f"{values['type']} is not supported")
    writer = SVGWriter if values["format"] == "svg" else ImageWriter
    options = {"module_width": MODULE_MM, "module_height": 13.0, "dpi": 300}

    def render() -> bytes:
        barcode.get(values["type"], values["data"], writer=writer()).write(output := BytesIO(), options)
        return output.getvalue()

    return render


def read_back(case: Case, content: bytes) -> str:
    """Return the width of the image, and whether a reader decodes it on a dark page."""
    png = content if case.values["format"] == "png" else vl_convert.svg_to_png(content.decode(), ppi=72)
    with Image.open(BytesIO(png)) as image:
        page = Image.new("RGBA", (image.width + 60, image.height + 60), "#333")
        page.alpha_composite(image.convert("RGBA"), (30, 30))
    found = [code.text for code in zxingcpp.read_barcodes(page.convert("L"))]
    reads = "reads back" if found == [case.values["data"]] else "does not read back"
    return f"{page.width - 60} px, {reads} on a dark page"


BENCHES = [
    Bench(
        tool="barcode",
        about=f"Scale {SCALE}, with text, as PNG and SVG.",
        cases=[
            Case(f"{kind}, {form.upper()}", {"data": text, "type": kind, "scale": SCALE, "format": form})
            for form, texts in (("png", TEXTS), ("svg", {"code128": TEXTS["code128"]}))
            for kind, text in texts.items()
        ],
        ours=ours("bench.barcode:with_mediakit"),
        peers=[node_peer("bwip-js", "barcode.cjs"), python_peer("python-barcode", "bench.barcode:with_python_barcode")],
        inspect=read_back,
    )
]
