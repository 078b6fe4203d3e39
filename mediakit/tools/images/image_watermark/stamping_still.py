"""Still images: decode, put the mark on, encode."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.engines.animations.frames import Animation, Frame
from mediakit.engines.animations.gif import GifOptions, encode_gif
from mediakit.engines.raster.color import flatten, to_srgb
from mediakit.engines.raster.encode import encode, encode_jpeg_with_tables, encode_lossless_webp
from mediakit.engines.raster.formats import MAX_SIDE
from mediakit.engines.raster.metadata import Metadata
from mediakit.engines.raster.source import SourceImage
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_watermark.canvas import Canvas, in_color, mark_in_profile, read_canvas
from mediakit.tools.images.image_watermark.deep_png import write_deep_png
from mediakit.tools.images.image_watermark.job import Format, Watermarked, WatermarkJob
from mediakit.tools.images.image_watermark.marks import Mark, colors_on, draw_mark
from mediakit.tools.images.image_watermark.placement import offset
from mediakit.tools.images.image_watermark.stamping import Stamp, stamp_deep, stamp_image

MIN_VISIBLE_DIFFERENCE = 8.0
"""Mean difference inside the box of the mark, of 255, from which it can be seen."""


def stamp_still(job: WatermarkJob, source: SourceImage, mark: Mark, kind: Format, warnings: list[str]) -> Watermarked:
    """Put a mark on the first frame of an image."""
    check_side(source, kind)
    canvas = read_canvas(source, warnings, deep=kind == "png")
    stamp = make_stamp(job, mark, canvas, warnings)
    drawn = stamp.mark
    if not is_gray(drawn):
        canvas = in_color(canvas)
        stamp = Stamp(mark_in_profile(drawn, canvas.icc_profile), stamp.left, stamp.top, stamp.gap_pct)
    if canvas.deep is not None:
        content = write_deep_png(stamp_deep(canvas.deep, stamp), canvas.icc_profile)
    else:
        assert canvas.image is not None  # noqa: S101 - one of both is set
        content = _encode(job, source, replace(canvas, image=stamp_image(canvas.image, stamp)), stamp, kind)
    return Watermarked(content, kind, *canvas.size, box_of(stamp), 1, warnings)


def make_stamp(job: WatermarkJob, mark: Mark, canvas: Canvas, warnings: list[str]) -> Stamp:
    """Draw a mark for a canvas: its size, place and colors."""
    margin = round(min(canvas.size) * job.margin_pct / 100)
    silent: list[str] = []
    outline = draw_mark(mark, canvas.size, job, colors_on(np.zeros((1, 3)), job.color), silent)
    left, top = offset(job.position, canvas.size, outline.size, margin)
    box = (0, 0, *canvas.size) if job.tile else (left, top, left + outline.width, top + outline.height)
    background = _background(canvas, box)
    drawn = draw_mark(mark, canvas.size, job, colors_on(background, job.color), warnings)
    if job.tile:
        return Stamp(drawn, gap_pct=job.gap_pct)
    if job.opacity and _difference(background, drawn) < MIN_VISIBLE_DIFFERENCE:
        warnings.append("mark: can hardly be seen on this image; use another position, color or opacity.")
    return Stamp(drawn, left, top)


def check_side(source: SourceImage, kind: Format) -> None:
    """Reject an image whose sides a format cannot store."""
    limit = 65535 if kind == "gif" else MAX_SIDE[kind]
    if max(source.size) > limit:
        raise InvalidInput(
            f"format: a side of a {kind.upper()} image is limited to {limit} pixels, got {max(source.size)}."
        )


def box_of(stamp: Stamp) -> list[int] | None:
    """Return left, top, width and height of a mark; None if it is repeated."""
    return None if stamp.gap_pct is not None else [stamp.left, stamp.top, stamp.mark.width, stamp.mark.height]


def is_gray(mark: Image.Image) -> bool:
    """Return whether all visible pixels of a mark are shades of gray."""
    pixels = np.asarray(mark)
    seen = pixels[pixels[..., 3] > 0]
    return bool((seen[:, :1] == seen[:, 1:3]).all())


def _background(canvas: Canvas, box: tuple[int, int, int, int]) -> NDArray[np.float64]:
    """Return the pixels of a box as red, green and blue from 0 to 1, reduced if they are many; white is behind them."""
    left, top, right, bottom = box
    step = max(1, round(((right - left) * (bottom - top) / 250_000) ** 0.5))
    if canvas.deep is not None:
        pixels = (canvas.deep[top:bottom:step, left:right:step] >> 8).astype(np.uint8)
        channels = pixels.shape[2]
        image = Image.fromarray(pixels[..., 0] if channels == 1 else pixels, ("L", "LA", "RGB", "RGBA")[channels - 1])
    else:
        assert canvas.image is not None  # noqa: S101 - one of both is set
        image = canvas.image.crop(box)
        size = max(1, image.width // step), max(1, image.height // step)
        image = image if step == 1 else image.resize(size, Image.Resampling.NEAREST)
    seen = flatten(to_srgb(image, canvas.icc_profile), "white").convert("RGB")
    return np.asarray(seen) / 255


def _difference(background: NDArray[np.float64], mark: Image.Image) -> float:
    """Return the mean difference that a mark makes to pixels, of 255."""
    reduced = mark.resize((background.shape[1], background.shape[0]), Image.Resampling.NEAREST)
    pixels = np.asarray(reduced) / 255
    return float(np.mean(np.abs(pixels[..., :3] - background) * pixels[..., 3:]) * 255)


def _encode(job: WatermarkJob, source: SourceImage, canvas: Canvas, stamp: Stamp, kind: Format) -> bytes:
    image = canvas.image
    assert image is not None  # noqa: S101 - deep images are PNG
    metadata = Metadata(icc_profile=canvas.icc_profile)
    if kind == "gif":
        return _encode_gif(image, stamp)
    if kind == "jpeg":
        image = flatten(image)
        if canvas.jpeg and job.quality is None:
            return encode_jpeg_with_tables(image, canvas.jpeg.tables, canvas.jpeg.subsampling, metadata)
    if kind == "webp" and job.quality is None and is_lossless(source):
        return encode_lossless_webp(image.convert("RGBA" if "A" in image.getbands() else "RGB"), metadata)
    return encode(image, kind, job.quality, metadata)


def _encode_gif(image: Image.Image, stamp: Stamp) -> bytes:
    frame = image.convert("RGBA")
    animation = Animation(frame.size, lambda: iter([Frame(frame, 0)]), 1)
    return encode_gif(animation, gif_options(image, stamp)).content


def gif_options(image: Image.Image, stamp: Stamp, *, opaque: bool | None = None) -> GifOptions:
    """Return the options that keep the colors outside the mark."""
    if opaque is None:
        opaque = "A" not in image.getbands() or image.getchannel("A").getextrema() == (255, 255)
    box = box_of(stamp)
    free = (box[0], box[1], box[0] + box[2], box[1] + box[3]) if box else None
    return GifOptions(opaque=opaque, free_box=free)


def is_lossless(source: SourceImage) -> bool:
    """Return whether a file is a WebP whose frames are all lossless."""
    return source.format == "webp" and b"VP8 " not in source.content
