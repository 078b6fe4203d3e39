"""The tool `image_watermark`: its request and function."""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import Color, PositionField, Quality
from mediakit.core.inputs import FILE_SYNONYMS, ImageFile, file_of
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.engines.raster.formats import alt_text
from mediakit.errors import NotConvertible
from mediakit.results.files import ImageResult
from mediakit.samples import LANDSCAPE, LOGO

Format = Literal["jpeg", "png", "webp", "avif", "gif"]

MAX_LINES = 5
TILE_ROTATION = -30.0

_LINE_BREAK = re.compile(r"\r\n?|[\u2028\u2029\x85]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def _check_text(text: str) -> str:
    text = _LINE_BREAK.sub("\n", text).replace("\t", " ")
    if _CONTROL.search(text):
        raise ValueError("must have no control characters except line breaks.")
    if not text.strip():
        raise ValueError("must have a character that can be seen.")
    if (lines := text.count("\n") + 1) > MAX_LINES:
        raise ValueError(f"must have at most {MAX_LINES} lines, got {lines}.")
    return text


@request
class ImageWatermarkRequest:
    """An image and its watermark: exactly one of text and mark."""

    file: Annotated[ImageFile, FILE_SYNONYMS]
    """PNG, JPEG, WebP, AVIF, GIF or TIFF image. Animations keep their frames, delays and loop."""
    text: (
        Annotated[
            str,
            Field(min_length=1, max_length=200),
            AfterValidator(_check_text),
            Synonyms("watermark, label, caption, copyright"),
        ]
        | None
    ) = None
    """Text of the watermark, at most five lines. Long text becomes small; it is never cut."""
    _: KW_ONLY
    mark: Annotated[ImageFile | None, Synonyms("logo, watermark, overlay, stamp, image")] = None
    """PNG, WebP, JPEG or SVG image, such as a logo. It keeps its transparency."""
    position: PositionField = "right bottom"
    """Where the mark goes. The words of a corner can be in any order."""
    size_pct: Annotated[float, Field(ge=1, le=100), Synonyms("size, scale, width, font_size")] = 25.0
    """Width of the mark in percent of the image's shorter side. A mark that would not fit is made smaller."""
    margin_pct: Annotated[float, Field(ge=0, le=25), Synonyms("margin, offset, padding")] = 3.0
    """Distance from the edges in percent of the image's shorter side."""
    opacity: Annotated[float, Field(ge=0, le=1), Synonyms("alpha, transparency")] = 0.6
    """1 is opaque."""
    tile: Annotated[bool, Synonyms("repeat, tiled, pattern")] = False
    """Repeat the mark over the whole image. `position` and `margin_pct` do not count then."""
    gap_pct: Annotated[float, Field(ge=0, le=100), Synonyms("gap, spacing")] = 50.0
    """With `tile`: space between marks in percent of the mark."""
    rotate: Annotated[float, Field(ge=-180, le=180), Synonyms("angle, rotation")] | None = None
    """Degrees clockwise. Default: 0, and -30 with `tile`."""
    color: Annotated[Color | None, Synonyms("colour, fill, text_color, font_color")] = None
    """Color of the text. Default: white or black, whichever reads better on the image. The outline contrasts with
    it."""
    format: Annotated[Format | None, Synonyms("type, extension, output_format, image_format")] = None
    """Output format. Default: that of the input; TIFF becomes PNG."""
    quality: Quality | None = None
    """Quality of JPEG, WebP and AVIF. Default: that of a JPEG, and lossless for WebP files that are lossless."""

    @model_validator(mode="after")
    def _check_mark(self) -> Self:
        if (self.text is None) == (self.mark is None):
            raise ValueError("text: send text or mark.")
        return self

    @property
    def rotation(self) -> float:
        """Degrees clockwise."""
        if self.rotate is not None:
            return self.rotate
        return TILE_ROTATION if self.tile else 0.0


WATERMARK = Guard(
    "image",
    seconds=10,
    took_too_long=(
        NotConvertible,
        "The image took longer than {seconds:g} seconds. Send a smaller image, or request format jpeg or webp.",
    ),
)

META: Mapping[str, meta_schemas.Schema] = {
    "format": meta_schemas.FORMAT,
    "width": meta_schemas.WIDTH,
    "height": meta_schemas.HEIGHT,
    "box": {
        "type": ["array", "null"],
        "items": {"type": "integer"},
        "description": "Left, top, width and height of the mark in pixels; null with `tile`.",
        "examples": [[1130, 900, 440, 70]],
    },
    "frames": meta_schemas.integer("Number of frames; 1 for still images.", 1),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    ImageWatermarkRequest,
    tag="Images",
    raw={"image/*": "file"},
    produces=("image/jpeg", "image/png", "image/webp", "image/avif", "image/gif"),
    alt=lambda request: alt_text(f"Image with the watermark {request.text or 'of a logo'}", file_of(request.file).name),
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("A line of text", {"file": LANDSCAPE, "text": "© Lake Survey 2026"}),
        Example(
            "A logo in a corner",
            {"file": LANDSCAPE, "mark": LOGO, "position": "left top", "size_pct": 15, "opacity": 0.9},
        ),
        Example("Text over the whole image", {"file": LANDSCAPE, "text": "PREVIEW", "tile": True, "opacity": 0.3}),
        Example(
            "Large, across the image",
            {"file": LANDSCAPE, "text": "DRAFT", "position": "center", "size_pct": 90, "rotate": -20, "color": "red"},
        ),
    ],
)
async def image_watermark(request: ImageWatermarkRequest) -> ImageResult:
    """Put text or a logo on an image.

    Pixels that the mark does not cover stay equal in lossless formats, 16-bit PNG stays 16-bit, and animations keep
    their frames, delays and loop. The EXIF orientation is applied. The ICC profile is kept; CMYK and LAB are converted
    to sRGB. All other metadata is removed, such as the location of a photograph. Text can have any script and emoji. It
    is white or black, whichever reads better, with an outline in the other.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or no font has the text.
        NotConvertible: The work took longer than 10 seconds.
    """
    work = "mediakit.tools.images.image_watermark.stamping:watermark"
    content, meta = await run_guarded(work, request, returns=tuple[bytes, dict[str, Any]], guard=WATERMARK)
    result = ImageResult(content, image_type(meta["format"]), meta)
    result.original = file_of(request.file)
    return result
