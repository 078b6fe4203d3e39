"""The request of `image_animate`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, WithJsonSchema

from mediakit.core.fields import Color, Quality
from mediakit.core.inputs import FileInput, FileList
from mediakit.core.request import plain, request
from mediakit.core.suggestions import Synonyms

Format = Literal["webp", "gif", "png"]
Fit = Literal["contain", "cover", "fill"]

MAX_FILES = 60
MIN_DELAY_MS, MAX_DELAY_MS = 20, 60_000

_DELAY_SCHEMA = {
    "anyOf": [
        {"type": "integer", "minimum": MIN_DELAY_MS, "maximum": MAX_DELAY_MS},
        {
            "type": "array",
            "items": {"type": "integer", "minimum": MIN_DELAY_MS, "maximum": MAX_DELAY_MS},
            "minItems": 1,
            "maxItems": 1000,
        },
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

    files: Annotated[Sequence[FileInput] | FileInput, FileList(max_items=MAX_FILES, takes=("image",))]
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


@dataclass(frozen=True)
class Timeline:
    """What all results tell."""

    width: int
    height: int
    delays_ms: list[int]
    loop: int
    warnings: list[str]


@dataclass(frozen=True)
class Animated:
    """An animation."""

    content: bytes = field(repr=False)
    timeline: Timeline
    colors: int | None
    """Size of the largest palette of a GIF, or of a PNG that was reduced to a palette."""
    quality: int | None
    """Quality of a WebP; 100 if it is lossless."""


@dataclass(frozen=True)
class Separated:
    """The frames as PNG files."""

    images: list[bytes] = field(repr=False)
    timeline: Timeline
