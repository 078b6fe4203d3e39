"""The tool `image_watermark`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.inputs import file_of
from mediakit.core.media import image_type
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import ImageResult
from mediakit.samples import LANDSCAPE, LOGO
from mediakit.tools.images.image_watermark.request import ImageWatermarkRequest, Watermarked

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
    made = await run_guarded(work, request, returns=Watermarked, guard=WATERMARK)
    meta = {
        "format": made.format,
        "width": made.width,
        "height": made.height,
        "box": made.box,
        "frames": made.frames,
        "warnings": made.warnings,
    }
    result = ImageResult(made.content, image_type(made.format), meta)
    result.original = file_of(request.file)
    return result
