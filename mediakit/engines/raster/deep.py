"""Images with 16 bits per channel, which Pillow reduces to 8: reading, resizing and cropping."""

import struct
import zlib
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from mediakit.engines.png import CHANNELS, SIGNATURE, chunk, chunks
from mediakit.engines.raster.geometry import Area, Offset, Plan
from mediakit.engines.raster.source import SourceImage, apply_orientation, damage_as_invalid_input, open_image
from mediakit.engines.raster.structure import truncated_file

ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""First column and row, and steps of the passes of interlaced files (ISO/IEC 15948, 8.2)."""
_TRANSPOSITIONS = {2: "h", 3: "hv", 4: "v", 5: "t", 6: "th", 7: "thv", 8: "tv"}
"""Transposition and flips that make an image upright, by EXIF orientation."""
_WHITE = 0xFFFF

Deep = NDArray[np.uint16]
"""Height, width and 1 to 4 channels."""


def read_deep(source: SourceImage) -> tuple[Deep, bytes]:
    """Return the upright pixels and the ICC profile of an image with `deep_pixels`.

    Raises:
        InvalidInput: The file is damaged.
    """
    with damage_as_invalid_input(source.format):
        image, orientation = open_image(source.content, source.format)
        profile = image.info.get("icc_profile") or b""
        if source.format == "png":
            pixels = _read_png(source.content)
            for step in _TRANSPOSITIONS.get(orientation, ""):
                pixels = {"h": pixels[:, ::-1], "v": pixels[::-1], "t": pixels.transpose(1, 0, 2)}[step]
            return np.ascontiguousarray(pixels), profile
        image.load()
        return np.asarray(apply_orientation(image, orientation)).astype(np.uint16)[..., None], profile


def with_color(pixels: Deep) -> Deep:
    """Return gray pixels with red, green and blue."""
    channels = pixels.shape[2]
    if channels > 2:
        return pixels
    return np.concatenate((np.repeat(pixels[..., :1], 3, axis=2), pixels[..., 1:]), axis=2)


def render_deep(pixels: Deep, area: Area, plan: Plan, offset: Offset, background: str | None) -> Deep:
    """Resize, crop or letterbox an image to its final size, as `resize.render` does.

    Args:
        pixels: The whole image.
        area: The part that is converted.
        plan: The sizes.
        offset: Top left corner of the crop, or of the image on its canvas.
        background: Color behind transparent and empty areas; None keeps them transparent.
    """
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


def _read_png(content: bytes) -> Deep:
    found: dict[bytes, bytes] = {}
    data = []
    for kind, body in chunks(content):
        if kind == b"IDAT":
            data.append(body)
        else:
            found.setdefault(kind, body)
    width, height, _, kind, _, _, interlaced = struct.unpack(">IIBBBBB", found[b"IHDR"])
    channels = CHANNELS[kind]
    passes = ADAM7 if interlaced else ((0, 0, 1, 1),)
    sizes = [(max(0, -(-(width - x) // dx)), max(0, -(-(height - y) // dy))) for x, y, dx, dy in passes]
    sizes = [(w, h) if w and h else (0, 0) for w, h in sizes]
    size = sum((w * channels * 2 + 1) * h for w, h in sizes)
    raw = np.frombuffer(zlib.decompressobj().decompress(b"".join(data), size), np.uint8)
    if len(raw) < size:
        raise truncated_file()
    pixels = np.zeros((height, width, channels * 2), np.uint8)
    start = 0
    for (x, y, dx, dy), (w, h) in zip(passes, sizes, strict=True):
        if w:
            end = start + (w * channels * 2 + 1) * h
            _unfilter(raw[start:end], pixels[y::dy, x::dx])
            start = end
    deep = pixels.view(">u2").astype(np.uint16)
    transparent = found.get(b"tRNS", b"")[: channels * 2]
    if channels not in (1, 3) or len(transparent) < channels * 2:
        return deep
    alpha = np.where((deep == np.frombuffer(transparent, ">u2")).all(axis=2), 0, _WHITE).astype(np.uint16)
    return np.concatenate((deep, alpha[..., None]), axis=2)


def _unfilter(raw: NDArray[np.uint8], target: NDArray[np.uint8]) -> None:
    """Decode filtered rows into `target`.

    A filter predicts each byte of a pixel from the same byte of neighboring pixels. Each byte position is thus an 8-bit
    gray image with the same filters, which Pillow decodes.
    """
    height, width, depth = target.shape
    rows = raw.reshape(height, width * depth + 1)
    planes = rows[:, 1:].reshape(height, width, depth)
    plane = np.empty((height, width + 1), np.uint8)
    plane[:, 0] = rows[:, 0]
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    for number in range(depth):
        plane[:, 1:] = planes[:, :, number]
        data = chunk(b"IDAT", zlib.compress(plane.tobytes(), 0))
        with Image.open(BytesIO(b"".join((SIGNATURE, header, data, chunk(b"IEND", b"")))), formats=["PNG"]) as image:
            target[:, :, number] = np.asarray(image)
