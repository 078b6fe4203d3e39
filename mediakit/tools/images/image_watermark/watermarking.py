"""Puts a mark on an image. Every frame of an animation gets the mark, and keeps its delay. Runs in a worker."""

from collections.abc import Iterator
from functools import partial

from mediakit.core.inputs import file_of
from mediakit.engines.animations.containers import encode_apng, encode_avif_animation, encode_webp
from mediakit.engines.animations.frames import Animation, Frame
from mediakit.engines.animations.gif import encode_gif
from mediakit.engines.raster.encode import DEFAULT_QUALITY
from mediakit.engines.raster.frames import animation_info, read_animation, read_frames
from mediakit.engines.raster.metadata import color_chunks, removed_color_data
from mediakit.engines.raster.source import SourceImage, depth_warnings
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
    content = _encode(request, source, animation, stamp, kind)
    return Watermarked(content, kind, *first.size, box_of(stamp), source.frames, warnings)


def _stamped(source: SourceImage, stamp: Stamp) -> Iterator[Frame]:
    for frame in read_frames(source):
        yield Frame(stamp_image(frame.image, stamp), frame.delay_ms)


def _encode(
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
