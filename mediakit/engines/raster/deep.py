"""Images with 12 or 16 bits per channel, which Pillow reduces to 8: reading, resizing and cropping."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile

from mediakit.engines.raster.geometry import Area, Offset, Plan
from mediakit.engines.raster.source import SourceImage, TiffPage, damage_as_invalid_input, open_image

_RAW_MODES = {0: ("I;16",), 2: ("RGB;16B", "RGB;16L"), 4: ("RGBA",), 6: ("RGBA;16B", "RGBA;16L")}
"""Raw modes with which Pillow decodes all bytes of the samples, or the first ones and then the second ones, by color
type (ISO/IEC 15948, 11.2.2)."""
_TIFF_RAW_MODES = {1: ("I;16N",), 3: ("RGB;16L", "RGB;16B"), 4: ("RGBA;16L", "RGBA;16B")}
"""The same by the number of samples, which libtiff returns in the order of the processor: the low byte first."""
_TRANSPOSITIONS = {2: "h", 3: "hv", 4: "v", 5: "t", 6: "th", 7: "thv", 8: "tv"}
"""Transposition and flips that make an image upright, by EXIF orientation."""
_WHITE = 0xFFFF
_BITS, _PHOTOMETRIC, _EXTRA_SAMPLES = 258, 262, 338
_WHITE_IS_ZERO, _MULTIPLIED_ALPHA, _ALPHA = 0, (1,), (2,)

Deep = NDArray[np.uint16]
"""Height, width and 1 to 4 channels; 65,535 is white or opaque."""


def read_deep(source: SourceImage) -> tuple[Deep, bytes]:
    """Return the upright pixels and the ICC profile of an image with `deep_pixels`.

    Raises:
        InvalidInput: The file is damaged.
    """
    with damage_as_invalid_input(source.format):
        image, orientation = open_image(source.content, source.format)
        profile = image.info.get("icc_profile") or b""
        if isinstance(image, TiffPage):
            return read_tiff(image), profile
        pixels = read_png(source.content)
        for step in _TRANSPOSITIONS.get(orientation, ""):
            pixels = {"h": pixels[:, ::-1], "v": pixels[::-1], "t": pixels.transpose(1, 0, 2)}[step]
        return np.ascontiguousarray(pixels), profile


def with_color(pixels: Deep) -> Deep:
    """Return gray pixels with red, green and blue."""
    channels = pixels.shape[2]
    if channels > 2:
        return pixels
    return np.concatenate((np.repeat(pixels[..., :1], 3, axis=2), pixels[..., 1:]), axis=2)


def render_deep(pixels: Deep, area: Area, plan: Plan, offset: Offset, background: str | None) -> Deep:
    """Resize, crop or letterbox an area of an image to its final size, as `resize.render` does."""
    part = pixels[area.top : area.top + area.height, area.left : area.left + area.width]
    if (part.shape[1], part.shape[0]) != plan.scaled:
        part = _resized(part, plan.scaled)
    if plan.crops:
        part = part[offset.top : offset.top + plan.output.height, offset.left : offset.left + plan.output.width]
        offset = Offset(0, 0)
    color = ImageColor.getrgb(background)[:3] if background else None
    if color:
        part = _on_color(part, color)
    if (part.shape[1], part.shape[0]) == plan.output:
        return part
    if color is None and part.shape[2] in (1, 3):
        part = np.concatenate((part, np.full((*part.shape[:2], 1), _WHITE, np.uint16)), axis=2)
    canvas = np.zeros((plan.output.height, plan.output.width, part.shape[2]), np.uint16)
    if color:
        canvas[...] = np.array(color[: part.shape[2]], np.uint16) * 257
    canvas[offset.top : offset.top + part.shape[0], offset.left : offset.left + part.shape[1]] = part
    return canvas


def _resized(pixels: Deep, size: tuple[int, int]) -> Deep:
    """Resize each channel as floats; colors are weighted by their opacity."""
    values = pixels.astype(np.float32)
    has_alpha = pixels.shape[2] in (2, 4)
    if has_alpha:
        values[..., :-1] *= values[..., -1:] / _WHITE
    channels = [np.ascontiguousarray(values[..., number]) for number in range(pixels.shape[2])]
    method = Image.Resampling.LANCZOS
    resized = [np.asarray(Image.fromarray(each).resize(size, method, reducing_gap=2.0)) for each in channels]
    result = np.stack(resized, axis=2)
    if has_alpha:
        alpha = result[..., -1:] / _WHITE
        result[..., :-1] = np.divide(result[..., :-1], alpha, out=np.zeros_like(result[..., :-1]), where=alpha > 0)
    return result.round().clip(0, _WHITE).astype(np.uint16)


def _on_color(pixels: Deep, color: tuple[int, ...]) -> Deep:
    """Composite pixels onto a color; gray pixels get colors if it is not gray."""
    if len(set(color)) > 1:
        pixels = with_color(pixels)
    if pixels.shape[2] in (1, 3):
        return pixels
    alpha = pixels[..., -1:] / _WHITE
    below = np.array(color[: pixels.shape[2] - 1]) * 257.0
    return (pixels[..., :-1] * alpha + below * (1 - alpha)).round().astype(np.uint16)


def read_png(content: bytes) -> Deep:
    """Return the pixels of a PNG with 16 bits per channel; its transparent color becomes a channel."""
    planes = []
    for raw_mode in _RAW_MODES[content[25]]:
        with PngImageFile(BytesIO(content)) as image:
            image.tile = [tile._replace(args=raw_mode) for tile in image.tile]
            planes.append(np.asarray(image).reshape(image.height, image.width, -1))
            transparent = image.info.get("transparency")
    high, low = planes[0], planes[-1]
    pixels = high.astype(np.uint16) << 8 | low if len(planes) == 2 else high.view(">u2").astype(np.uint16)
    if transparent is None:
        return pixels
    alpha = np.where((pixels == np.array(transparent)).all(axis=2, keepdims=True), 0, _WHITE)
    return np.concatenate((pixels, alpha.astype(np.uint16)), axis=2)


def read_tiff(page: TiffPage) -> Deep:
    """Return the upright pixels of a page of a TIFF that `is_deep`; black is 0, and alpha is not multiplied in."""
    tags, file = page.tag_v2, page.fp.getvalue()  # type: ignore[union-attr]  # always a BytesIO
    parts: list[Deep] = []
    bits, extra = tags[_BITS], tags.get(_EXTRA_SAMPLES, ())
    for raw_mode in ("I;12",) if bits == (12,) else _TIFF_RAW_MODES[len(bits)]:
        with TiffImageFile(BytesIO(file)) as image:
            image.seek(page.tell())
            image._mode, image.use_load_libtiff = raw_mode.partition(";")[0].replace("I", "I;16"), True  # noqa: SLF001
            size = tags[256], tags[257]
            image.tile = [ImageFile._Tile("libtiff", (0, 0, *size), 0, (raw_mode, False, tags.offset))]  # noqa: SLF001
            parts.append(np.asarray(image).reshape(image.height, image.width, -1).astype(np.uint16))
    pixels = parts[0] << 8 | parts[1] if len(parts) == 2 else parts[0]
    if bits == (12,):
        pixels = pixels << 4 | pixels >> 8
    if tags.get(_PHOTOMETRIC) == _WHITE_IS_ZERO:
        pixels = ~pixels
    if extra == _MULTIPLIED_ALPHA:
        alpha = np.maximum(pixels[..., -1:], 1) / _WHITE
        pixels[..., :-1] = (pixels[..., :-1] / alpha).clip(0, _WHITE).round()
    return (pixels if extra in (_MULTIPLIED_ALPHA, _ALPHA) else pixels[..., :3]).astype(np.uint16)


def with_pixels(image: Image.Image, pixels: Deep) -> None:
    """Give an opened image pixels, reduced to 8 bits."""
    reduced = (pixels >> 8).astype(np.uint8)
    stored = Image.fromarray(reduced[..., 0] if reduced.shape[2] == 1 else reduced)
    image.im, image._mode = stored.im, stored.mode  # noqa: SLF001 - as the plugins of Pillow do
    image.info.pop("transparency", None)
