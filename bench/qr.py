"""`qr` compared with qrcode (npm), segno and qrcode (PyPI): a URL and 1500 characters, as PNG and SVG."""

from collections.abc import Mapping
from io import BytesIO
from itertools import cycle, islice
from typing import Any

import vl_convert
import zxingcpp
from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import node_peer, ours, python_peer

URL = "https://www.example.com/menus/summer-2025?table=12&lang=en-GB"[:60]
LONG = "".join(islice(cycle("The quick brown fox jumps over 13 lazy dogs; "), 1500))
SIZE, MARGIN = 512, 2


def with_mediakit(values: Mapping[str, Any]) -> Job:
    data, kind = values["data"], values["format"]
    return lambda: mediakit.qr(data, size=values["size"], margin=values["margin"], format=kind).content


def with_segno(values: Mapping[str, Any]) -> Job:
    import segno  # type: ignore[import-not-found]  # installed when the benchmark runs

    def render() -> bytes:
        code = segno.make_qr(values["data"], error="m", boost_error=False)
        scale = values["size"] // code.symbol_size(border=values["margin"])[0]
        code.save(output := BytesIO(), kind=values["format"], scale=scale, border=values["margin"])
        return output.getvalue()

    return render


def with_qrcode(values: Mapping[str, Any]) -> Job:
    import qrcode
    from qrcode.image.pil import PilImage
    from qrcode.image.svg import SvgPathImage

    factory = {"png": PilImage, "svg": SvgPathImage}[values["format"]]

    def render() -> bytes:
        code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_M, border=values["margin"], image_factory=factory)
        code.add_data(values["data"])
        code.make()
        code.box_size = values["size"] // (code.modules_count + 2 * values["margin"])
        code.make_image().save(output := BytesIO())
        return output.getvalue()

    return render


def read_back(case: Case, content: bytes) -> str:
    """Return the width of the code, and whether a reader decodes it."""
    scale = 1 if case.values["format"] == "png" else 4
    png = content if scale == 1 else vl_convert.svg_to_png(content.decode(), scale=scale, ppi=72)
    with Image.open(BytesIO(png)) as image:
        page = Image.new("RGBA", image.size, "white")
        page.alpha_composite(image.convert("RGBA"))
    found = [barcode.text for barcode in zxingcpp.read_barcodes(page.convert("L"))]
    return f"{page.width // scale} px, {'reads back' if found == [case.values['data']] else 'does not read back'}"


BENCHES = [
    Bench(
        tool="qr",
        about=f"{len(URL)} and {len(LONG)} characters, {SIZE} px, margin {MARGIN}, error correction M.",
        cases=[
            Case(f"{name}, {kind.upper()}", {"data": data, "format": kind, "size": SIZE, "margin": MARGIN})
            for kind in ("png", "svg")
            for name, data in (("URL", URL), ("1500 characters", LONG))
        ],
        ours=ours("bench.qr:with_mediakit"),
        peers=[
            node_peer("qrcode", "qr.cjs"),
            python_peer("segno", "bench.qr:with_segno"),
            python_peer("qrcode", "bench.qr:with_qrcode"),
        ],
        inspect=read_back,
    )
]
