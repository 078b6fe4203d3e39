"""Still images that a mark is put on, with 8 or 16 bits per channel, and their encoding."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms
from PIL.JpegImagePlugin import JpegImageFile, get_sampling

from mediakit.engines.raster.color import source_profile, to_eight_bit, to_srgb
from mediakit.engines.raster.deep import has_deep_pixels, read_deep, with_color
from mediakit.engines.raster.source import (
    SourceImage,
    apply_orientation,
    damage_as_invalid_input,
    depth_warnings,
    open_image,
)

_SPACES = {"L": "GRAY", "LA": "GRAY", "RGB": "RGB ", "RGBA": "RGB "}


@dataclass(frozen=True)
class JpegTables:
    """What decides the quality of a JPEG."""

    tables: dict[int, list[int]]
    subsampling: int


@dataclass(frozen=True)
class Canvas:
    """An upright image: either `image` or `deep` is set."""

    image: Image.Image | None
    """L, LA, RGB or RGBA."""
    deep: NDArray[np.uint16] | None = field(default=None, repr=False)
    """16-bit pixels: height, width and 1 to 4 channels."""
    icc_profile: bytes = field(default=b"", repr=False)
    jpeg: JpegTables | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        if self.image is not None:
            return self.image.size
        assert self.deep is not None  # noqa: S101 - one of both is set
        return self.deep.shape[1], self.deep.shape[0]


def read_canvas(source: SourceImage, warnings: list[str], *, deep: bool) -> Canvas:
    """Decode the first frame of an image, upright and in its own colors.

    Args:
        source: The image.
        warnings: Gets a sentence for each change of the colors.
        deep: Whether 16 bits per channel can be kept.
    """
    if deep and has_deep_pixels(source):
        pixels, profile = read_deep(source)
        return Canvas(None, pixels, _fitting(profile, "L" if pixels.shape[2] < 3 else "RGB"))
    keeps = "png" if has_deep_pixels(source) else ""
    warnings += [remark["message"] for remark in depth_warnings(source, keeps)]
    image, orientation = open_image(source.content, source.format)
    with damage_as_invalid_input(source.format):
        image.load()
    profile = image.info.get("icc_profile") or b""
    return _eight_bit(image, orientation, profile, warnings)


def _eight_bit(image: Image.Image, orientation: int, profile: bytes, warnings: list[str]) -> Canvas:
    jpeg = _jpeg_tables(image)
    if image.mode in ("CMYK", "LAB"):
        warnings.append(f"file: was converted from {image.mode} to sRGB.")
        upright = apply_orientation(to_srgb(to_eight_bit(image), profile), orientation)
        return Canvas(_clean(upright), jpeg=None)
    upright = _clean(apply_orientation(to_eight_bit(image), orientation))
    return Canvas(upright, icc_profile=_fitting(profile, upright.mode), jpeg=jpeg)


def in_color(canvas: Canvas) -> Canvas:
    """Return a gray image with red, green and blue, for a mark that has colors."""
    if canvas.deep is not None:
        return canvas if canvas.deep.shape[2] > 2 else Canvas(None, with_color(canvas.deep))
    image = canvas.image
    if image is None or image.mode not in ("L", "LA"):
        return canvas
    converted = to_srgb(image, canvas.icc_profile).convert("RGB" if image.mode == "L" else "RGBA")
    return replace(canvas, image=converted, icc_profile=b"")


def mark_in_profile(mark: Image.Image, profile: bytes) -> Image.Image:
    """Return a mark of sRGB colors in the colors of an RGB profile, so that it looks the same there."""
    target = source_profile(profile, "RGB")
    if target is None:
        return mark
    try:
        srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
        converted = ImageCms.profileToProfile(mark.convert("RGB"), srgb, target, outputMode="RGB")
    except ImageCms.PyCMSError:
        return mark
    if converted is None:
        return mark
    converted.putalpha(mark.getchannel("A"))
    return converted


def _clean(image: Image.Image) -> Image.Image:
    image.info.clear()
    return image


def _fitting(profile: bytes, mode: str) -> bytes:
    """Return a profile if it is valid and describes the color space of a mode."""
    if not profile:
        return b""
    try:
        from io import BytesIO

        space = ImageCms.ImageCmsProfile(BytesIO(profile)).profile.xcolor_space
    except (ImageCms.PyCMSError, OSError):
        return b""
    return profile if space == _SPACES.get(mode) else b""


def _jpeg_tables(image: Image.Image) -> JpegTables | None:
    if not isinstance(image, JpegImageFile) or image.mode not in ("L", "RGB"):
        return None
    tables = {number: list(table) for number, table in image.quantization.items()}
    is_valid = tables and set(tables) <= {0, 1} and all(0 < max(t) <= 255 and min(t) > 0 for t in tables.values())
    return JpegTables(tables, get_sampling(image)) if is_valid else None
