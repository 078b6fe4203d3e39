"""Puts a mark on an image. Every frame of an animation gets the mark, and keeps its delay. Runs in a worker."""

from collections.abc import Iterator
from functools import partial

from mediakit.core.inputs import file_of
from mediakit.engines.animations.apng import encode_apng
from mediakit.engines.animations.avif import encode_avif_animation
from mediakit.engines.animations.frames import Animation, Frame
from mediakit.engines.animations.gif import encode_gif
from mediakit.engines.animations.reading import AnimatedFile, read_animated, read_frames, read_timing
from mediakit.engines.animations.webp import encode_webp
from mediakit.engines.raster.encode import DEFAULT_QUALITY
from mediakit.tools.images.image_watermark.canvas import Canvas, mark_in_profile
from mediakit.tools.images.image_watermark.marks import Mark, load_mark
from mediakit.tools.images.image_watermark.request import Format, ImageWatermarkRequest, Watermarked
from mediakit.tools.images.image_watermark.stamping import (
    Stamp,
    box_of,
    check_side,
    gif_options,
    is_lossless,
    make_stamp,
    stamp_image,
    stamp_still,
)


def watermark(request: ImageWatermarkRequest) -> Watermarked:
    """Put a mark on an image.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or no font has the text.
    """
    warnings: list[str] = []
    file = read_animated(file_of(request.file))
    source = file.source
    kind = request.format or ("png" if source.format == "tiff" else source.format)
    mark = load_mark(request, warnings)
    if file.is_animated and kind != "jpeg":
        return _stamp_frames(request, file, mark, kind, warnings)
    if file.is_animated:
        warnings.append("format: jpeg has no animations; only the first frame is kept.")
    return stamp_still(request, source, mark, kind, warnings)


def _stamp_frames(
    request: ImageWatermarkRequest, file: AnimatedFile, mark: Mark, kind: Format, warnings: list[str]
) -> Watermarked:
    """Put a mark on every frame of an animation. Its place and colors are those of the first frame."""
    check_side(file.source, kind)
    timing = read_timing(file)
    first = next(read_frames(file)).image
    stamp = make_stamp(request, mark, Canvas(first, icc_profile=timing.icc_profile), warnings)
    stamp = Stamp(mark_in_profile(stamp.mark, timing.icc_profile), stamp.left, stamp.top, stamp.gap_pct)
    animation = Animation(first.size, partial(_stamped, file, stamp), file.frames, timing.loop, timing.icc_profile)
    content = _encode(request, file, animation, stamp, kind)
    return Watermarked(content, kind, *first.size, box_of(stamp), file.frames, warnings)


def _stamped(file: AnimatedFile, stamp: Stamp) -> Iterator[Frame]:
    for frame in read_frames(file):
        yield Frame(stamp_image(frame.image, stamp), frame.delay_ms)


def _encode(
    request: ImageWatermarkRequest, file: AnimatedFile, animation: Animation, stamp: Stamp, kind: Format
) -> bytes:
    source = file.source
    opaque = (not source.has_alpha and source.format != "gif") or _is_opaque(file)
    match kind:
        case "gif":
            first = next(animation.frames()).image
            return encode_gif(animation, gif_options(first, stamp, opaque=opaque)).content
        case "png":
            return encode_apng(animation, opaque=opaque)
        case "avif":
            return encode_avif_animation(animation, request.quality or DEFAULT_QUALITY["avif"])
        case _:
            lossless = request.quality is None and (is_lossless(source) or source.format in ("gif", "png"))
            return encode_webp(animation, quality=request.quality or DEFAULT_QUALITY["webp"], lossless=lossless)


def _is_opaque(file: AnimatedFile) -> bool:
    """Return whether no frame has transparency."""
    return all(frame.image.getchannel("A").getextrema() == (255, 255) for frame in read_frames(file))
