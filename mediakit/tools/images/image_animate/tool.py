"""The tool `image_animate`: its request and function."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, WithJsonSchema

from mediakit.core import meta_schemas
from mediakit.core.fields import Color, Quality
from mediakit.core.inputs import FILES_SYNONYMS, FileList, FilesInput, files_of
from mediakit.core.media import image_type
from mediakit.core.overloaded_tool import overloads
from mediakit.core.request import plain, request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.engines.raster.formats import alt_text
from mediakit.errors import NotConvertible
from mediakit.results.files import ZIP, FileResult, ImageResult, ZipResult
from mediakit.samples import LANDSCAPE, LOGO

Format = Literal["webp", "gif", "png"]
Fit = Literal["contain", "cover", "fill"]

MAX_FILES = 60
MIN_DELAY_MS, MAX_DELAY_MS = 20, 60_000

_DELAY_MS = {"type": "integer", "minimum": MIN_DELAY_MS, "maximum": MAX_DELAY_MS}
_DELAY_SCHEMA = {
    "anyOf": [
        _DELAY_MS,
        {"type": "array", "items": _DELAY_MS, "minItems": 1, "maxItems": 1000},
        {"type": "string", "maxLength": 7000},
    ],
    "examples": [100, [100, 400], "100,400"],
    "x-kind": "text",
}


def _check_delays(value: Any) -> int | list[int]:
    """Return one delay, or a list of delays. Text has one delay, or several with commas."""
    value = plain(value)
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        if not all(part.isascii() and part.isdigit() and len(part) <= 5 for part in parts):
            raise ValueError('must be milliseconds such as 100, or several such as "100,400".')
        numbers: list[Any] = [int(part) for part in parts]
        value = numbers if len(numbers) > 1 else numbers[0]
    delays = list(value) if isinstance(value, list | tuple) else [value]
    for delay in delays:
        if isinstance(delay, bool) or not isinstance(delay, int):
            raise ValueError("must be an integer or an array of integers, in milliseconds.")  # noqa: TRY004  # pydantic
        if not MIN_DELAY_MS <= delay <= MAX_DELAY_MS:
            raise ValueError(f"must be between {MIN_DELAY_MS} and {MAX_DELAY_MS} milliseconds, got {delay}.")
    if not delays:
        raise ValueError("must have at least one delay.")
    return delays if isinstance(value, list | tuple) else delays[0]


Delays = Annotated[int | Sequence[int] | str, PlainValidator(_check_delays), WithJsonSchema(_DELAY_SCHEMA)]

Side = Annotated[int, Field(ge=1, le=4000)]


@request
class ImageAnimateRequest:
    """Images and how to animate them."""

    files: Annotated[FilesInput, FileList(max_items=MAX_FILES, takes=("image",)), FILES_SYNONYMS]
    """2 to 60 images (PNG, JPEG, WebP, AVIF, GIF, TIFF), or one animation to convert or retime."""
    _: KW_ONLY
    delay_ms: Annotated[Delays | None, Synonyms("delay, duration, fps, frame_duration, interval, speed")] = None
    """Milliseconds that a frame is shown, 20 to 60000: one for all, or one for each. Default: 100, and for an animation
    its own."""
    loop: Annotated[int, Field(ge=0, le=1000), Synonyms("loops, repeat, plays")] | None = None
    """How often it plays; 0: endlessly. Default: 0, and for an animation its own."""
    format: Annotated[Format, Synonyms("type, extension, output_format", {"png": "apng"})] = "webp"
    """`png` is an animated PNG."""
    width: Annotated[Side | None, Synonyms("w, size")] = None
    """Width in pixels. Default: that of the first image; with only a height the aspect ratio is kept."""
    height: Annotated[Side | None, Synonyms("h, size")] = None
    """Height in pixels. Default: that of the first image; with only a width the aspect ratio is kept."""
    fit: Fit = "contain"
    """How images of other proportions fit: inside with borders, cut, or stretched."""
    background: Color | None = None
    """Color behind transparency and of the borders. Default: transparent; the borders in GIF are white."""
    quality: Quality = 80
    """Quality of WebP; 100 is lossless."""
    crossfade_ms: Annotated[int, Field(ge=0, le=2000), Synonyms("fade, crossfade, transition")] = 0
    """Milliseconds of blending between two images, added to their delays."""
    bounce: bool = False
    """Play forward and back."""
    max_bytes: Annotated[int, Field(ge=10_000, le=20_000_000), Synonyms("max_size, target_size, file_size")] | None = (
        None
    )
    """Maximum size of the file in bytes: fewer colors or a lower quality, then a smaller size, until it fits."""
    frames: Annotated[bool, Synonyms("extract, split, extract_frames")] = False
    """Return the frames as a ZIP file of PNGs with `frames.json`, which has the delays."""


@request
class FramesCall(ImageAnimateRequest):
    """Arguments of calls that return the frames, for type checkers."""

    _: KW_ONLY
    frames: Literal[True]


@request
class AnimationCall(ImageAnimateRequest):
    """Arguments of calls that return an animation, for type checkers."""

    _: KW_ONLY
    frames: Literal[False] = False


ANIMATION = Guard("animation", seconds=10)

META: Mapping[str, meta_schemas.Schema] = {
    "format": meta_schemas.text("Format of the animation, or of the frames.", "webp"),
    "width": meta_schemas.WIDTH,
    "height": meta_schemas.HEIGHT,
    "frames": meta_schemas.integer("Number of frames.", 12),
    "duration_ms": meta_schemas.integer("Sum of the delays in milliseconds.", 1200),
    "loop": meta_schemas.integer("How often it plays; 0: endlessly.", 0),
    "colors": meta_schemas.optional(meta_schemas.integer("Colors of a frame at most: of GIF, and reduced PNG.", 255)),
    "quality": meta_schemas.optional(meta_schemas.integer("Quality of WebP.", 80)),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


def media_type_of(values: Mapping[str, Any]) -> str:
    """Return the media type of a call's result."""
    return ZIP if values.get("frames") in (True, "true", "1") else image_type(str(values.get("format", "webp")))


@overloads(FramesCall, ZipResult[FileResult], AnimationCall, ImageResult)
@tool(
    ImageAnimateRequest,
    tag="Images",
    raw={"image/gif": "files", "image/webp": "files", "image/png": "files", "image/avif": "files"},
    produces=("image/webp", "image/gif", "image/png", ZIP),
    media_type_of=media_type_of,
    alt=lambda request: alt_text("Animation", ", ".join(file.name for file in files_of(request.files) if file.name)),
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example(
            "Two images that fade", {"files": [LANDSCAPE, LOGO], "width": 400, "delay_ms": 800, "crossfade_ms": 400}
        ),
        Example("A GIF", {"files": [LANDSCAPE, LOGO], "width": 320, "format": "gif", "delay_ms": [600, 300]}),
        Example(
            "Forward and back, on white",
            {"files": [LANDSCAPE, LOGO, LANDSCAPE], "width": 300, "bounce": True, "background": "white"},
        ),
        Example("The frames as files", {"files": [LANDSCAPE, LOGO], "width": 200, "frames": True}),
    ],
)
async def image_animate(request: ImageAnimateRequest) -> ImageResult | ZipResult[FileResult]:
    """Make an animated WebP, GIF or PNG of images, or convert or retime an animation.

    Every frame stays, also equal ones, and delays are exact: GIF stores hundredths of a second, which are rounded so
    that their sum is right. Each frame of a GIF has a palette of its own, and only areas that would show bands are
    dithered. Transparency stays clean: GIF has it from an alpha of 128. Images become upright and sRGB.
    With `frames`, the result is a ZIP file with `frame-001.png` and so on, and `frames.json` with the delays.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, the delays do not match the images, or the result
            does not fit into `max_bytes`.
        NotConvertible: The work took longer than 10 seconds.
    """
    work = "mediakit.tools.images.image_animate.animating:animate"
    contents, delays, meta = await run_guarded(
        work, request, returns=tuple[list[bytes], list[int], dict[str, Any]], guard=ANIMATION, field="files"
    )
    if not request.frames:
        return ImageResult(contents[0], image_type(request.format), meta)
    facts = {name: meta[name] for name in ("width", "height", "loop", "duration_ms")}
    digits = max(3, len(str(len(contents))))
    files: list[FileResult] = []
    for number, content in enumerate(contents, 1):
        image = ImageResult(content, "image/png", {"width": facts["width"], "height": facts["height"]})
        image.filename = f"frame-{number:0{digits}}.png"
        files.append(image)
    frames = [{"file": file.filename, "delay_ms": delay} for file, delay in zip(files, delays, strict=True)]
    listed = (json.dumps({**facts, "delays_ms": delays, "frames": frames}, indent=2) + "\n").encode()
    return ZipResult([*files, FileResult(listed, "application/json", "frames.json")], "frames.zip", meta)
