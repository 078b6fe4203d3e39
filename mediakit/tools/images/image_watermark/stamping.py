"""Puts a mark on an image, or on every frame of an animation. Pixels that the mark does not cover stay equal.

Runs in a worker.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms
from PIL.JpegImagePlugin import JpegImageFile, get_sampling

from mediakit.core.inputs import file_of
from mediakit.engines.animations.frames import Animation, Frame, encode_apng, encode_avif_animation, encode_webp
from mediakit.engines.animations.gif import GifOptions, encode_gif
from mediakit.engines.png import encode_deep
from mediakit.engines.raster.color import flatten, source_profile, to_eight_bit, to_srgb
from mediakit.engines.raster.deep import read_deep, with_color
from mediakit.engines.raster.encode import DEFAULT_QUALITY, encode, encode_jpeg_with_tables, encode_lossless_webp
from mediakit.engines.raster.formats import MAX_GIF_SIDE, MAX_SIDE
from mediakit.engines.raster.frames import animation_info, read_animation, read_frames
from mediakit.engines.raster.metadata import Metadata, color_chunks, removed_color_data
from mediakit.engines.raster.source import (
    SourceImage,
    apply_orientation,
    damage_as_invalid_input,
    depth_warnings,
    open_image,
)
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_watermark.marks import Mark, colors_on, draw_mark, load_mark, offset
from mediakit.tools.images.image_watermark.tool import Format, ImageWatermarkRequest, Watermarked

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
    if deep and source.deep_pixels:
        pixels, profile = read_deep(source)
        return Canvas(None, pixels, _fitting(profile, "L" if pixels.shape[2] < 3 else "RGB"))
    keeps = "png" if source.deep_pixels else ""
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


STRIP_PIXELS = 4_000_000
"""Pixels of an image that are processed at once, to limit memory."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


@dataclass(frozen=True)
class Stamp:
    """A mark with its place."""

    mark: Image.Image
    """RGBA."""
    left: int = 0
    top: int = 0
    gap_pct: float | None = None
    """If set, the mark is repeated over the whole image, with gaps in percent of the mark."""

    def parts(self, size: tuple[int, int]) -> Iterator[tuple[Box, Image.Image]]:
        """Yield boxes of an image, each with the RGBA image that goes over it."""
        if self.gap_pct is None:
            box = self.left, self.top, self.left + self.mark.width, self.top + self.mark.height
            yield box, self.mark
            return
        cell = _cell(self.mark, self.gap_pct)
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
        result.paste(_converted(under, image.mode), box[:2])
    return result


def stamp_deep(pixels: NDArray[np.uint16], stamp: Stamp) -> NDArray[np.uint16]:
    """Return 16-bit pixels (1 to 4 channels) with the stamp on them."""
    result = pixels.copy()
    height, width, channels = pixels.shape
    for (left, top, right, bottom), over in stamp.parts((width, height)):
        mark = np.asarray(over)
        colors = mark[..., :1] if channels < 3 else mark[..., :3]
        area = result[top:bottom, left:right]
        area[...] = _over(area, colors.astype(np.float64) * 257, mark[..., 3:].astype(np.float64) / 255)
    return result


def _over(under: NDArray[np.uint16], colors: NDArray[np.float64], alpha: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Composite colors over pixels (Porter and Duff's operator "over")."""
    if under.shape[2] in (1, 3):
        mixed = under + (colors - under) * alpha
    else:
        below = under[..., -1:] / 65535
        total = alpha + below * (1 - alpha)
        weight = np.divide(alpha, total, out=np.zeros_like(alpha), where=total > 0)
        mixed = np.concatenate((under[..., :-1] + (colors - under[..., :-1]) * weight, total * 65535), axis=2)
    return np.where(alpha > 0, mixed.round(), under).astype(np.uint16)


def _converted(image: Image.Image, mode: str) -> Image.Image:
    if mode == "L":
        return image.getchannel("R")
    if mode == "LA":
        return Image.merge("LA", (image.getchannel("R"), image.getchannel("A")))
    return image.convert(mode) if mode == "RGB" else image


def _cell(mark: Image.Image, gap_pct: float) -> NDArray[np.uint8]:
    """Return two rows of the pattern: the second is shifted by half the distance."""
    width = mark.width + max(1, round(mark.width * gap_pct / 100))
    height = mark.height + max(1, round(mark.height * gap_pct / 100))
    row = np.zeros((height, width, 4), np.uint8)
    row[: mark.height, : mark.width] = np.asarray(mark)
    return np.concatenate((row, np.roll(row, width // 2, axis=1)))


MIN_VISIBLE_DIFFERENCE = 8.0
"""Mean difference inside the box of the mark, of 255, from which it can be seen."""


def stamp_still(
    request: ImageWatermarkRequest, source: SourceImage, mark: Mark, kind: Format, warnings: list[str]
) -> Watermarked:
    """Put a mark on the first frame of an image."""
    check_side(source, kind)
    canvas = read_canvas(source, warnings, deep=kind == "png")
    stamp = make_stamp(request, mark, canvas, warnings)
    drawn = stamp.mark
    if not is_gray(drawn):
        canvas = in_color(canvas)
        stamp = Stamp(mark_in_profile(drawn, canvas.icc_profile), stamp.left, stamp.top, stamp.gap_pct)
    if canvas.deep is not None:
        metadata = Metadata(icc_profile=canvas.icc_profile, color_chunks=_color_chunks(source))
        content = encode_deep(stamp_deep(canvas.deep, stamp), metadata.png_chunks())
    else:
        assert canvas.image is not None  # noqa: S101 - one of both is set
        content = _encode(request, source, replace(canvas, image=stamp_image(canvas.image, stamp)), stamp, kind)
    return Watermarked(content, kind, *canvas.size, box_of(stamp), 1, warnings)


def make_stamp(request: ImageWatermarkRequest, mark: Mark, canvas: Canvas, warnings: list[str]) -> Stamp:
    """Draw a mark for a canvas: its size, place and colors."""
    margin = round(min(canvas.size) * request.margin_pct / 100)
    silent: list[str] = []
    outline = draw_mark(mark, canvas.size, request, colors_on(np.zeros((1, 3)), request.color), silent)
    left, top = offset(request.position, canvas.size, outline.size, margin)
    box = (0, 0, *canvas.size) if request.tile else (left, top, left + outline.width, top + outline.height)
    background = _background(canvas, box)
    drawn = draw_mark(mark, canvas.size, request, colors_on(background, request.color), warnings)
    if request.tile:
        return Stamp(drawn, gap_pct=request.gap_pct)
    if request.opacity and _difference(background, drawn) < MIN_VISIBLE_DIFFERENCE:
        warnings.append("mark: can hardly be seen on this image; use another position, color or opacity.")
    return Stamp(drawn, left, top)


def check_side(source: SourceImage, kind: Format) -> None:
    """Reject an image whose sides a format cannot store."""
    limit = MAX_GIF_SIDE if kind == "gif" else MAX_SIDE[kind]
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


def _encode(request: ImageWatermarkRequest, source: SourceImage, canvas: Canvas, stamp: Stamp, kind: Format) -> bytes:
    image = canvas.image
    assert image is not None  # noqa: S101 - deep images are PNG
    colors = _color_chunks(source) if kind == "png" else ()
    metadata = Metadata(icc_profile=canvas.icc_profile, color_chunks=colors)
    if kind == "gif":
        return _encode_gif(image, stamp)
    if kind == "jpeg":
        image = flatten(image)
        if canvas.jpeg and request.quality is None:
            return encode_jpeg_with_tables(image, canvas.jpeg.tables, canvas.jpeg.subsampling, metadata)
    if kind == "webp" and request.quality is None and is_lossless(source):
        return encode_lossless_webp(image.convert("RGBA" if "A" in image.getbands() else "RGB"), metadata)
    return encode(image, kind, request.quality, metadata)


def _color_chunks(source: SourceImage) -> tuple[tuple[bytes, bytes], ...]:
    return tuple(item for item in color_chunks(source) if item[0] != b"iCCP")


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


def watermark(request: ImageWatermarkRequest) -> Watermarked:
    """Put a mark on an image.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or no font has the text.
    """
    warnings: list[str] = []
    source = read_animation(file_of(request.file))
    warnings += [remark["message"] for remark in source.warnings]
    kind = request.format or ("png" if source.format == "tiff" else source.format)
    mark = load_mark(request, warnings)
    if kind != "png" and (removed := removed_color_data(source)):
        warnings.append(f"file: {removed} was removed, which {kind} does not keep; colors may look different.")
    if source.animated and kind != "jpeg":
        warnings += [remark["message"] for remark in depth_warnings(source)]
        return _stamp_frames(request, source, mark, kind, warnings)
    if source.animated:
        warnings.append("format: jpeg has no animations; only the first frame is kept.")
    return stamp_still(request, source, mark, kind, warnings)


def _stamp_frames(
    request: ImageWatermarkRequest, source: SourceImage, mark: Mark, kind: Format, warnings: list[str]
) -> Watermarked:
    """Put a mark on every frame of an animation. Its place and colors are those of the first frame."""
    check_side(source, kind)
    plays, profile = animation_info(source)
    first = next(read_frames(source)).image
    stamp = make_stamp(request, mark, Canvas(first, icc_profile=profile), warnings)
    stamp = Stamp(mark_in_profile(stamp.mark, profile), stamp.left, stamp.top, stamp.gap_pct)
    animation = Animation(first.size, partial(_stamped, source, stamp), source.frames, plays, profile)
    content = _encode_frames(request, source, animation, stamp, kind)
    return Watermarked(content, kind, *first.size, box_of(stamp), source.frames, warnings)


def _stamped(source: SourceImage, stamp: Stamp) -> Iterator[Frame]:
    for frame in read_frames(source):
        yield Frame(stamp_image(frame.image, stamp), frame.delay_ms)


def _encode_frames(
    request: ImageWatermarkRequest, source: SourceImage, animation: Animation, stamp: Stamp, kind: Format
) -> bytes:
    opaque = (not source.has_alpha and source.format != "gif") or _is_opaque(source)
    match kind:
        case "gif":
            first = next(animation.frames()).image
            return encode_gif(animation, gif_options(first, stamp, opaque=opaque)).content
        case "png":
            return encode_apng(animation, opaque=opaque, extra=color_chunks(source))
        case "avif":
            return encode_avif_animation(animation, request.quality or DEFAULT_QUALITY["avif"])
        case _:
            lossless = request.quality is None and (is_lossless(source) or source.format in ("gif", "png"))
            return encode_webp(animation, quality=request.quality or DEFAULT_QUALITY["webp"], lossless=lossless)


def _is_opaque(source: SourceImage) -> bool:
    """Return whether no frame has transparency."""
    return all(frame.image.getchannel("A").getextrema() == (255, 255) for frame in read_frames(source))
