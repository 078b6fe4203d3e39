"""Images with 12 or 16 bits per channel, which Pillow reduces to 8: reading, resizing and cropping."""

import numpy as np
from PIL import Image, ImageColor

from mediakit.engines.raster.geometry import Area, Offset, Plan
from mediakit.engines.raster.samples import Deep, read_png, read_tiff
from mediakit.engines.raster.source import SourceImage, TiffPage, damage_as_invalid_input, open_image

_TRANSPOSITIONS = {2: "h", 3: "hv", 4: "v", 5: "t", 6: "th", 7: "thv", 8: "tv"}
"""Transposition and flips that make an image upright, by EXIF orientation."""
_WHITE = 0xFFFF


def read_deep(source: SourceImage) -> tuple[Deep, bytes]:
    """Return the upright pixels and the ICC profile of an image with `deep_pixels`.

    Raises:
        InvalidInput: The file is damaged.
    """
    with damage_as_invalid_input(source.format, content=source.content):
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
    elif plan.scaled != plan.output:
        if part.shape[2] in (1, 3):
            part = np.concatenate((part, np.full((*part.shape[:2], 1), _WHITE, np.uint16)), axis=2)
        below, beside = plan.output.height - offset.top - len(part), plan.output.width - offset.left - part.shape[1]
        part = np.pad(part, ((offset.top, below), (offset.left, beside), (0, 0)))
    color = ImageColor.getrgb(background)[:3] if background else ()
    if len(set(color)) > 1:
        part = with_color(part)
    if not color or part.shape[2] in (1, 3):
        return part
    alpha = part[..., -1:] / _WHITE
    behind = np.array(color[: part.shape[2] - 1]) * 257.0
    return (part[..., :-1] * alpha + behind * (1 - alpha)).round().astype(np.uint16)


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
