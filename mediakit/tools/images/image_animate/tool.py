"""The tool `image_animate`."""

import json
from collections.abc import Mapping
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.media import image_type
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import ZIP, FileResult, ImageResult, ZipResult
from mediakit.samples import LANDSCAPE, LOGO
from mediakit.tools.images.image_animate.request import (
    Animated,
    AnimationCall,
    FramesCall,
    ImageAnimateRequest,
    Separated,
    Timeline,
)

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
    if request.frames:
        work = "mediakit.tools.images.image_animate.encoding:separate"
        separated = await run_guarded(work, request, returns=Separated, guard=ANIMATION, field="files")
        return ZipResult(_files(separated), "frames.zip", _meta("png", separated.timeline))
    made = await run_guarded(
        "mediakit.tools.images.image_animate.encoding:animate",
        request,
        returns=Animated,
        guard=ANIMATION,
        field="files",
    )
    meta = _meta(request.format, made.timeline)
    if made.colors is not None:
        meta["colors"] = made.colors
    if made.quality is not None:
        meta["quality"] = made.quality
    return ImageResult(made.content, image_type(request.format), meta)


def _meta(image_format: str, timeline: Timeline) -> dict[str, Any]:
    return {
        "format": image_format,
        "width": timeline.width,
        "height": timeline.height,
        "frames": len(timeline.delays_ms),
        "duration_ms": sum(timeline.delays_ms),
        "loop": timeline.loop,
        "warnings": timeline.warnings,
    }


def _files(separated: Separated) -> list[FileResult]:
    """Return the frames and their description."""
    timeline = separated.timeline
    digits = max(3, len(str(len(separated.images))))
    files: list[FileResult] = []
    for number, content in enumerate(separated.images, 1):
        image = ImageResult(content, "image/png", {"width": timeline.width, "height": timeline.height})
        image.filename = f"frame-{number:0{digits}}.png"
        files.append(image)
    described = {
        "width": timeline.width,
        "height": timeline.height,
        "loop": timeline.loop,
        "duration_ms": sum(timeline.delays_ms),
        "delays_ms": timeline.delays_ms,
        "frames": [
            {"file": file.filename, "delay_ms": delay} for file, delay in zip(files, timeline.delays_ms, strict=True)
        ],
    }
    content = (json.dumps(described, indent=2) + "\n").encode()
    return [*files, FileResult(content, "application/json", "frames.json")]
