"""Puts a mark on an image, or on every frame of an animation. Pixels that the mark does not cover stay equal.

Runs in a worker.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile, get_sampling

from mediakit.core.inputs import file_of
from mediakit.engines.animations.frames import (
    Animation,
    Frame,
    encode_apng,
    encode_avif_animation,
    encode_webp,
    timing_warnings,
)
from mediakit.engines.animations.gif import encode_gif
from mediakit.engines.png import encode_deep
from mediakit.engines.raster.color import (
    SRGB,
    apply_profile,
    flatten,
    opened_profile,
    source_profile,
    to_srgb,
)
from mediakit.engines.raster.deep import read_deep, with_color
from mediakit.engines.raster.encode import DEFAULT_QUALITY, encode, encode_jpeg, encode_lossless_webp
from mediakit.engines.raster.formats import MAX_SIDE
from mediakit.engines.raster.frames import animation_info, read_animation, read_frames
from mediakit.engines.raster.metadata import Metadata, color_chunks, color_warnings
from mediakit.engines.raster.resize import decode
from mediakit.engines.raster.samples import Deep, in_eight_bits
from mediakit.engines.raster.source import SourceImage, depth_warnings, open_image
from mediakit.engines.raster.structure import timing_of
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_watermark.marks import Mark, colors_on, draw_mark, load_mark, offset
from mediakit.tools.images.image_watermark.tool import Format, ImageWatermarkRequest

MIN_VISIBLE_DIFFERENCE = 8.0
"""Mean difference inside the box of the mark, of 255, from which it can be seen."""

STRIP_PIXELS = 4_000_000
"""Pixels of an image that are processed at once, to limit memory."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


class Canvas(NamedTuple):
    """An upright image in its own colors."""

    pixels: Image.Image | Deep
    """L, LA, RGB or RGBA; or 16-bit pixels."""
    icc_profile: bytes = b""
    jpeg_quality: Mapping[str, Any] | None = None
    """Pillow's options that encode at the quality of a JPEG."""


def read_canvas(source: SourceImage, warnings: list[str], *, deep: bool) -> Canvas:
    """Decode the first frame, upright and in its own colors, if `deep` with the 16 bits per channel of the file."""
    if deep and source.deep_pixels:
        pixels, profile = read_deep(source)
        return Canvas(pixels, profile if opened_profile(profile, "L" if pixels.shape[2] < 3 else "RGB") else b"")
    warnings += [remark["message"] for remark in depth_warnings(source, "png" if source.deep_pixels else "")]
    image, _ = open_image(source.content, source.format)
    decoded = decode(source, source.size)
    upright, profile = decoded.image, decoded.profile or b""
    if image.mode in ("CMYK", "LAB"):
        warnings.append(f"file: was converted from {image.mode} to sRGB.")
        upright, profile = to_srgb(upright, profile), b""
    upright.info.clear()
    is_fitting = opened_profile(profile, upright.mode.removesuffix("A"))
    canvas = Canvas(upright, profile if is_fitting else b"")
    if isinstance(image, JpegImageFile) and image.mode in ("L", "RGB"):
        tables = {number: list(table) for number, table in image.quantization.items()}
        if tables and set(tables) <= {0, 1} and all(0 < max(t) <= 255 and min(t) > 0 for t in tables.values()):
            return canvas._replace(jpeg_quality={"qtables": tables, "subsampling": get_sampling(image)})
    return canvas


def in_color(canvas: Canvas) -> Canvas:
    """Return a gray image with red, green and blue, for a mark that has colors."""
    image = canvas.pixels
    if not isinstance(image, Image.Image):
        return canvas if image.shape[2] > 2 else Canvas(with_color(image))
    if image.mode not in ("L", "LA"):
        return canvas
    converted = to_srgb(image, canvas.icc_profile).convert("RGB" if image.mode == "L" else "RGBA")
    return canvas._replace(pixels=converted, icc_profile=b"")


def mark_in_profile(mark: Image.Image, profile: bytes) -> Image.Image:
    """Return a mark of sRGB colors in the colors of an RGB profile, so that it looks the same there."""
    target = source_profile(profile, "RGB")
    if target is None:
        return mark
    converted = apply_profile(mark.convert("RGB"), SRGB, target)
    converted.putalpha(mark.getchannel("A"))
    return converted


@dataclass(frozen=True)
class Stamp:
    """A mark with its place."""

    mark: Image.Image
    """RGBA."""
    left: int = 0
    top: int = 0
    gap_pct: float | None = None
    """If set, the mark is repeated over the whole image, with gaps in percent of the mark."""

    @property
    def box(self) -> Box | None:
        """The place of the mark; None if it is repeated."""
        if self.gap_pct is not None:
            return None
        return self.left, self.top, self.left + self.mark.width, self.top + self.mark.height

    def parts(self, size: tuple[int, int]) -> Iterator[tuple[Box, Image.Image]]:
        """Yield boxes of an image, each with the RGBA image that goes over it."""
        if self.box:
            yield self.box, self.mark
            return
        # Two rows of the pattern: the second is shifted by half the distance.
        gaps = (max(1, round(side * (self.gap_pct or 0) / 100)) for side in self.mark.size)
        across, down = (side + gap for side, gap in zip(self.mark.size, gaps, strict=True))
        row = np.zeros((down, across, 4), np.uint8)
        row[: self.mark.height, : self.mark.width] = np.asarray(self.mark)
        cell = np.concatenate((row, np.roll(row, across // 2, axis=1)))
        width, height = size
        rows = max(1, STRIP_PIXELS // width)
        columns = np.arange(width) % cell.shape[1]
        for top in range(0, height, rows):
            bottom = min(height, top + rows)
            strip = cell[np.arange(top, bottom) % cell.shape[0]][:, columns]
            yield (0, top, width, bottom), Image.fromarray(strip)


def stamp_image(image: Image.Image, stamp: Stamp) -> Image.Image:
    """Return an image (L, LA, RGB or RGBA) with the stamp on it, in the same mode."""
    result = image.copy()
    for box, over in stamp.parts(image.size):
        under = image.crop(box).convert("RGBA")
        under.alpha_composite(over)
        result.paste(under.convert(image.mode), box[:2])
    return result


def stamp_deep(pixels: NDArray[np.uint16], stamp: Stamp) -> NDArray[np.uint16]:
    """Return 16-bit pixels (1 to 4 channels) with the stamp on them."""
    result = pixels.copy()
    height, width, channels = pixels.shape
    for (left, top, right, bottom), over in stamp.parts((width, height)):
        mark, under = np.asarray(over).astype(np.float64), result[top:bottom, left:right]
        colors, alpha = mark[..., : 1 if channels < 3 else 3] * 257, mark[..., 3:] / 255
        if channels in (1, 3):
            mixed = under + (colors - under) * alpha
        else:
            below = under[..., -1:] / 65535
            total = alpha + below * (1 - alpha)
            weight = np.divide(alpha, total, out=np.zeros_like(alpha), where=total > 0)
            mixed = np.concatenate((under[..., :-1] + (colors - under[..., :-1]) * weight, total * 65535), axis=2)
        under[...] = np.where(alpha > 0, mixed.round(), under).astype(np.uint16)
    return result


def watermark(request: ImageWatermarkRequest) -> tuple[bytes, dict[str, Any]]:
    """Put a mark on an image; return the file and the meta of the result.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or no font has the text.
    """
    warnings: list[str] = []
    source = read_animation(file_of(request.file))
    warnings += [remark["message"] for remark in source.warnings]
    kind = request.format or ("png" if source.format == "tiff" else source.format)
    mark = load_mark(request, warnings)
    if kind != "png":
        warnings += [remark["message"] for remark in color_warnings(source, kind)]
    if max(source.size) > MAX_SIDE[kind]:
        limit = f"a side of a {kind.upper()} image is limited to {MAX_SIDE[kind]} pixels"
        raise InvalidInput(f"format: {limit}, got {max(source.size)}.")
    is_animated = source.animated and kind != "jpeg"
    if source.animated and not is_animated:
        warnings.append("format: jpeg has no animations; only the first frame is kept.")
    stamped = _stamp_frames if is_animated else _stamp_still
    content, stamp = stamped(request, source, mark, kind, warnings)
    meta = {
        "format": kind,
        "width": source.width,
        "height": source.height,
        "box": None if stamp.box is None else [stamp.left, stamp.top, *stamp.mark.size],
        "frames": source.frames if is_animated else 1,
        "warnings": warnings,
    }
    return content, meta


def _stamp_still(
    request: ImageWatermarkRequest, source: SourceImage, mark: Mark, kind: Format, warnings: list[str]
) -> tuple[bytes, Stamp]:
    """Put a mark on the first frame of an image."""
    canvas = read_canvas(source, warnings, deep=kind == "png")
    stamp = _make_stamp(request, mark, canvas, source.size, warnings)
    mark_pixels = np.asarray(stamp.mark)
    seen = mark_pixels[mark_pixels[..., 3] > 0]
    if not (seen[:, :1] == seen[:, 1:3]).all():  # the mark is not gray
        canvas = in_color(canvas)
        stamp = replace(stamp, mark=mark_in_profile(stamp.mark, canvas.icc_profile))
    pixels = canvas.pixels
    stamped = stamp_image(pixels, stamp) if isinstance(pixels, Image.Image) else stamp_deep(pixels, stamp)
    return _encode(request, source, canvas._replace(pixels=stamped), stamp.box, kind), stamp


def _encode(
    request: ImageWatermarkRequest, source: SourceImage, canvas: Canvas, box: Box | None, kind: Format
) -> bytes:
    image = canvas.pixels
    colors = [item for item in color_chunks(source) if item[0] != b"iCCP"] if kind == "png" else []
    metadata = Metadata(icc_profile=canvas.icc_profile, color_chunks=tuple(colors))
    if not isinstance(image, Image.Image):
        return encode_deep(image, metadata.png_chunks())
    if kind == "gif":
        frame = image.convert("RGBA")
        return encode_gif(Animation(frame.size, lambda: iter([Frame(frame, 0)]), 1), free_box=box)[0]
    if kind == "jpeg":
        image = flatten(image)
        if canvas.jpeg_quality and request.quality is None:
            return encode_jpeg(image, metadata, **canvas.jpeg_quality)
    if kind == "webp" and request.quality is None and is_lossless(source):
        return encode_lossless_webp(image.convert("RGBA" if "A" in image.getbands() else "RGB"), metadata)
    return encode(image, kind, request.quality, metadata)


def _stamp_frames(
    request: ImageWatermarkRequest, source: SourceImage, mark: Mark, kind: Format, warnings: list[str]
) -> tuple[bytes, Stamp]:
    """Put a mark on every frame of an animation. Its place and colors are those of the first frame."""
    warnings += [remark["message"] for remark in depth_warnings(source)]
    plays, profile = animation_info(source)
    delays = timing_of(source.content, source.format).delays_ms
    warnings += [remark["message"] for remark in timing_warnings(kind, plays, delays)]
    first = next(read_frames(source)).image
    stamp = _make_stamp(request, mark, Canvas(first, profile), source.size, warnings)
    stamp = replace(stamp, mark=mark_in_profile(stamp.mark, profile))

    def frames() -> Iterator[Frame]:
        return (Frame(stamp_image(frame.image, stamp), frame.delay_ms) for frame in read_frames(source))

    is_opaque = not source.has_alpha and source.format != "gif"
    animation = Animation(first.size, frames, source.frames, plays, profile, is_opaque)
    quality = request.quality or DEFAULT_QUALITY.get(kind, 0)
    match kind:
        case "gif":
            content = encode_gif(animation, free_box=stamp.box)[0]
        case "png":
            content = encode_apng(animation, extra=color_chunks(source))
        case "avif":
            content = encode_avif_animation(animation, quality)
        case _:
            lossless = request.quality is None and (is_lossless(source) or source.format in ("gif", "png"))
            content = encode_webp(animation, quality=quality, lossless=lossless)
    return content, stamp


def _make_stamp(
    request: ImageWatermarkRequest, mark: Mark, canvas: Canvas, size: tuple[int, int], warnings: list[str]
) -> Stamp:
    """Draw a mark for a canvas: its size, place and colors."""
    margin = round(min(size) * request.margin_pct / 100)
    outline = draw_mark(mark, size, request, colors_on(np.zeros((1, 3)), request.color), [])
    place = Stamp(outline, *offset(request.position, size, outline.size, margin))
    background = _background(canvas, (0, 0, *size) if request.tile or not place.box else place.box)
    drawn = draw_mark(mark, size, request, colors_on(background, request.color), warnings)
    if request.tile:
        return Stamp(drawn, gap_pct=request.gap_pct)
    reduced = drawn.resize((background.shape[1], background.shape[0]), Image.Resampling.NEAREST)
    pixels = np.asarray(reduced) / 255
    difference = float(np.mean(np.abs(pixels[..., :3] - background) * pixels[..., 3:]) * 255)
    if request.opacity and difference < MIN_VISIBLE_DIFFERENCE:
        warnings.append("mark: can hardly be seen on this image; use another position, color or opacity.")
    return replace(place, mark=drawn)


def _background(canvas: Canvas, box: Box) -> NDArray[np.float64]:
    """Return the pixels of a box as red, green and blue from 0 to 1, reduced if they are many; white is behind them."""
    left, top, right, bottom = box
    step = max(1, round(((right - left) * (bottom - top) / 250_000) ** 0.5))
    if isinstance(canvas.pixels, Image.Image):
        image = canvas.pixels.crop(box)
        size = max(1, image.width // step), max(1, image.height // step)
        image = image if step == 1 else image.resize(size, Image.Resampling.NEAREST)
    else:
        image = in_eight_bits(canvas.pixels[top:bottom:step, left:right:step])
    seen = flatten(to_srgb(image, canvas.icc_profile), "white").convert("RGB")
    return np.asarray(seen) / 255


def is_lossless(source: SourceImage) -> bool:
    """Return whether a file is a WebP whose frames are all lossless."""
    return source.format == "webp" and b"VP8 " not in source.content
