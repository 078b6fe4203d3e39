"""Test codes, and the distortions of print and camera."""

import io
import math
from typing import Any

import numpy as np
import pymupdf
import zxingcpp
from PIL import Image, ImageFilter

SAMPLES = {
    "QRCode": "https://example.com/menu?table=4",
    "MicroQRCode": "TABLE 4",
    "RMQRCode": "LOT 2026-11",
    "DataMatrix": "SN-0042-BX",
    "Aztec": "Boarding 22F",
    "PDF417": "License 4711 AB",
    "MaxiCode": "Parcel 9",
    "Code128": "Shelf-17/B",
    "Code39": "BIN-204",
    "Code93": "TRAY93",
    "Codabar": "A4031587B",
    "ITF": "004512389067",
    "EAN13": "4006381333931",
    "EAN8": "96385074",
    "UPCA": "036000291452",
    "UPCE": "04252614",
    "DataBarOmni": "0950110153001",
    "DataBarLtd": "0950110153001",
}
"""Sample text by code type."""


def symbol(kind: str, data: str | None = None, *, module: int = 4, **options: Any) -> Image.Image:
    """Return a gray image of a code with its quiet zone."""
    text = SAMPLES[kind] if data is None else data
    code = zxingcpp.create_barcode(text, getattr(zxingcpp.BarcodeFormat, kind), **options)
    pixels = np.asarray(code.to_image(scale=module, add_quiet_zones=False))
    return Image.fromarray(np.pad(pixels, 12 * module, constant_values=255))


def png(image: Image.Image) -> bytes:
    """Encode an image as PNG."""
    return file(image, "PNG")


def file(image: Image.Image, kind: str, **options: Any) -> bytes:
    """Encode an image."""
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def sheet(*images: Image.Image, gap: int = 30) -> Image.Image:
    """Stack images on one sheet."""
    width, height = max(image.width for image in images), sum(image.height + gap for image in images)
    paper = Image.new("L", (width + 2 * gap, height + gap), 255)
    top = gap
    for image in images:
        paper.paste(image, (gap, top))
        top += image.height + gap
    return paper


def pdf(*pages: Image.Image | None, width: float = 150.0) -> bytes:
    """Return a PDF with an image on each page, `width` points wide; None leaves a page empty."""
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    for image in pages:
        page = document.new_page()
        if image is not None:
            height = width * image.height / image.width
            page.insert_image((100, 200, 100 + width, 200 + height), stream=png(image))
    return bytes(document.tobytes())


def blurred(image: Image.Image, pixels: float) -> Image.Image:
    """Blur the image."""
    return image.filter(ImageFilter.GaussianBlur(pixels))


def noisy(image: Image.Image, amount: float, seed: int = 1) -> Image.Image:
    """Add sensor noise."""
    noise = np.random.default_rng(seed).normal(0, amount, (image.height, image.width))
    return Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))


def faint(image: Image.Image, low: int = 118, high: int = 138) -> Image.Image:
    """Reduce the contrast."""
    return image.point([round(low + (high - low) * value / 255) for value in range(256)])


def shaded(image: Image.Image) -> Image.Image:
    """Darken the image from left to right."""
    light = np.linspace(1.0, 0.06, image.width)[None, :]
    return Image.fromarray((np.asarray(image) * light).astype(np.uint8))


def turned(image: Image.Image, degrees: float) -> Image.Image:
    """Rotate counterclockwise on white."""
    return image.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255)


def bent(image: Image.Image, bend: float) -> Image.Image:
    """Project the image onto an upright cylinder."""
    width = image.width
    places = np.arcsin(np.linspace(-1, 1, width) * bend) / math.asin(bend)
    columns = np.clip((places + 1) / 2 * (width - 1), 0, width - 1).round().astype(int)
    return Image.fromarray(np.ascontiguousarray(np.asarray(image)[:, columns]))


def colored(image: Image.Image, dark: tuple[int, int, int], light: tuple[int, int, int]) -> Image.Image:
    """Print the image in two colors."""
    paper = Image.new("RGB", image.size, light)
    paper.paste(Image.new("RGB", image.size, dark), mask=image.point([255 - value for value in range(256)]))
    return paper
