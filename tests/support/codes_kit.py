"""Test codes, and the distortions of print and camera."""

import io
import math
from typing import Any

import numpy as np
import pymupdf
import zxingcpp
from PIL import Image, ImageDraw, ImageFilter

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


def defocused(image: Image.Image, pixels: float) -> Image.Image:
    """Blur the image by an exact Gaussian, of which that of Pillow is an approximation."""
    places = np.arange(-round(4 * pixels), round(4 * pixels) + 1)
    weights = np.exp(-(places**2) / (2 * pixels**2))
    values = np.pad(np.asarray(image, np.float64), len(places) // 2, mode="edge")
    for axis in (0, 1):
        values = np.apply_along_axis(np.convolve, axis, values, weights / weights.sum(), mode="valid")
    return Image.fromarray(values.round().astype(np.uint8))


def moved(image: Image.Image, pixels: int) -> Image.Image:
    """Blur the image by a horizontal motion."""
    wide = np.pad(np.asarray(image, np.float32), ((0, 0), (pixels, 0)), mode="edge")
    views = [wide[:, start : start + image.width] for start in range(pixels)]
    return Image.fromarray(np.mean(views, axis=0).astype(np.uint8))


def bowed(image: Image.Image, rise: float) -> Image.Image:
    """Shift the ends of the image up, as on a cylinder that is seen from above; the center moves by `rise` pixels."""
    place = np.linspace(-1, 1, image.width)
    shift = np.round(rise * (1 - place**2)).astype(int)
    rows = np.clip(np.arange(image.height)[:, None] - shift[None, :], 0, image.height - 1)
    return Image.fromarray(np.ascontiguousarray(np.asarray(image)[rows, np.arange(image.width)[None, :]]))


def framed(image: Image.Image, gray: int = 40) -> Image.Image:
    """Replace the quiet zone by a dark frame that touches the code, on a light background."""
    ink = image.point([255] * 128 + [0] * 128).getbbox()
    tight = image.crop(ink)
    paper = Image.new("L", (tight.width + 120, tight.height + 120), 235)
    paper.paste(gray, (50, 50, paper.width - 50, paper.height - 50))
    paper.paste(tight, (60, 60))
    return paper


def text_page(width: int = 1240, height: int = 1754) -> Image.Image:
    """Return a page of lines of small text."""
    page = Image.new("L", (width, height), 250)
    draw = ImageDraw.Draw(page)
    for top in range(60, height - 60, 30):
        draw.text((80, top), "invoices list the goods that were delivered in autumn " * 4, fill=30)
    return page


def colored(image: Image.Image, dark: tuple[int, int, int], light: tuple[int, int, int]) -> Image.Image:
    """Print the image in two colors."""
    paper = Image.new("RGB", image.size, light)
    paper.paste(Image.new("RGB", image.size, dark), mask=image.point([255 - value for value in range(256)]))
    return paper
