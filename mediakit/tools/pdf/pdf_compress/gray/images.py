"""Images in gray: palettes are converted at once, other images when they are encoded."""

from functools import cached_property

import numpy as np
import pikepdf
from pikepdf import Array, Name, String
from PIL import Image

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.tools.pdf.pdf_compress.gray.spaces import BLUE, GREEN, RED, GraySpace, clamped, read_space
from mediakit.tools.pdf.pdf_compress.images.color_space import ColorSpace
from mediakit.tools.pdf.pdf_compress.images.image import PdfImage


class GrayImage(PdfImage):
    """An image whose pixels were converted to gray."""

    @cached_property
    def space(self) -> ColorSpace:
        """Gray."""
        return ColorSpace("gray")

    @cached_property
    def decode(self) -> list[float]:
        """The default: the array was applied."""
        return []

    @cached_property
    def bits(self) -> int:
        """Bits of a component."""
        return 8


def make_palette_gray(image: PdfImage) -> None:
    """Convert the color space of an image with one component; its data stays.

    Raises:
        ValueError: The color space cannot be converted.
    """
    space = read_space(image.stream.get(Name.ColorSpace))
    if space.is_gray:
        return
    if image.bits > 8:
        raise ValueError("an ink with 16 bits")
    palette = bytes(round(clamped(gray) * 255) for gray in _grays(image, space))
    image.stream.ColorSpace = Array([Name.Indexed, Name.DeviceGray, len(palette) - 1, String(palette)])
    if Name.Decode in image.stream:
        del image.stream.Decode
    image.__dict__.pop("space", None)
    image.__dict__.pop("decode", None)


def make_matte_gray(image: PdfImage, mask: pikepdf.Object) -> None:
    """Convert the color with which the pixels of an image are blended."""
    matte = read_numbers(mask.get(Name.Matte))
    if matte:
        mask.Matte = Array([clamped(read_space(image.stream.get(Name.ColorSpace)).gray(matte))])


def gray_pixels(pixels: Image.Image, image: PdfImage) -> Image.Image:
    """Return RGB or CMYK pixels in gray, with the array `/Decode` of their image applied."""
    values = np.asarray(pixels).astype(np.float32)
    if image.decode:
        limits = np.array(image.decode, np.float32).reshape(-1, 2)
        values = limits[:, 0] * 255 + values * (limits[:, 1] - limits[:, 0])
    shares = np.array([RED, GREEN, BLUE], np.float32)
    gray = values[:, :, :3] @ shares
    if pixels.mode == "CMYK":
        gray = 255 - np.minimum(255, gray + values[:, :, 3])
    return Image.fromarray(np.clip(np.rint(gray), 0, 255).astype(np.uint8))


def _grays(image: PdfImage, space: GraySpace) -> list[float]:
    top = 2**image.bits - 1
    low, high = image.decode or ([0, top] if image.space.family == "indexed" else [0, 1])
    return [space.gray([low + value * (high - low) / top]) for value in range(top + 1)]


def converts_with_pixels(image: PdfImage) -> bool:
    """Return whether an image has colors in its pixels."""
    return image.space.family in ("rgb", "cmyk") and not isinstance(image.stream.get(Name.Mask), Array)
