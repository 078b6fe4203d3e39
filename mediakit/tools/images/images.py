"""`images`: resize, convert and compress a picture."""

from dataclasses import KW_ONLY, fields
from typing import Annotated, Self

from pydantic import Field, model_validator

from mediakit.core.fields import File, HexColor, Quality, content_of
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.engines import raster
from mediakit.results.image import ImageResult
from mediakit.results.warning import ResultWarning
from mediakit.samples import LANDSCAPE

Side = Annotated[int, Field(ge=1, le=8000)]


@request
class ImagesRequest:
    """A picture and what becomes of it."""

    file: File
    """PNG, JPEG, WebP, AVIF, GIF or TIFF, up to 50 megapixels."""
    _: KW_ONLY
    width: Side | None = None
    """Width in pixels; without a height the aspect ratio is kept."""
    height: Side | None = None
    """Height in pixels; without a width the aspect ratio is kept."""
    fit: raster.Fit = "cover"
    """How the picture meets width and height when both are given."""
    position: raster.Position = "center"
    """What `cover` keeps and where `contain` puts the picture; `entropy` and `attention` look for what matters."""
    format: raster.OutputFormat | None = None
    """File format; that of the input when left out (GIF and TIFF become PNG, animations WebP)."""
    quality: Quality | None = None
    """Quality of the lossy formats; higher is better and larger."""
    max_bytes: Annotated[int, Field(ge=1, le=100_000_000)] | None = None
    """Bytes that the file may have: it gets the best quality that fits, and never outgrows the input."""
    background: HexColor | None = None
    """Colour behind transparency and around the picture of `contain`; left out: none, and white in JPEG."""
    without_enlargement: bool = False
    """Never make the picture larger than it is."""
    keep_metadata: bool = False
    """Keep EXIF and XMP, which may tell where and by whom a photograph was taken."""

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if all(wish is None for wish in (self.width, self.height, self.format, self.quality, self.max_bytes)):
            raise ValueError("Give at least one of width, height, format, quality or max_bytes.")
        return self


@tool(
    ImagesRequest,
    path="/images",
    tag="Images",
    raw={"image/*": "file"},
    makes=("image/jpeg", "image/png", "image/webp", "image/avif"),
    examples=[
        Example(
            "A square that finds its subject", {"file": LANDSCAPE, "width": 400, "height": 400, "position": "attention"}
        ),
        Example(
            "A banner for the web", {"file": LANDSCAPE, "width": 1200, "height": 400, "format": "webp", "quality": 75}
        ),
        Example(
            "The whole picture on a page",
            {"file": LANDSCAPE, "width": 400, "height": 400, "fit": "contain", "format": "png"},
        ),
        Example("As good as 20 kB allow", {"file": LANDSCAPE, "width": 1200, "format": "jpeg", "max_bytes": 20_000}),
    ],
)
async def images(request: ImagesRequest) -> ImageResult:
    """Resize, convert or compress a picture.

    The EXIF orientation is applied and colors are converted to sRGB. Metadata is removed unless `keep_metadata` is set.
    Animations stay animated in WebP. A notebook shows the image before and after side by side.

    If format and size stay the same, the result is never larger than the input: image data that would grow is kept as
    it is, without its metadata. If the pixels must change (for example to apply the orientation), a lower quality is
    chosen instead. `meta.quality` is the quality that was encoded with. With a requested `quality`,
    `meta.quality_applied` tells whether it was used, and `meta.warnings` explains why not. The only
    exception is an image whose pixels must change and for which no quality is low enough: `meta.warnings` then lists
    `larger_than_input`.

    Raises:
        InvalidInput: The file is no picture, damaged or too large, or `max_bytes` cannot be met.
    """
    content = content_of(request.file)
    made = await raster.convert_guarded(content, _recipe(request))
    result = ImageResult(made.content, image_type(made.format), _meta(request, made, len(content)))
    result.before = content
    return result


def _recipe(request: ImagesRequest) -> raster.Recipe:
    return raster.Recipe(**{wish.name: getattr(request, wish.name) for wish in fields(raster.Recipe)})


def _meta(request: ImagesRequest, made: raster.Converted, original_size: int) -> dict[str, object]:
    meta: dict[str, object] = {
        "format": made.format,
        "width": made.width,
        "height": made.height,
        "original_format": made.original_format,
        "original_width": made.original_width,
        "original_height": made.original_height,
        "original_size_bytes": original_size,
    }
    if made.quality is not None:
        meta["quality"] = made.quality
    if request.quality is not None:
        meta["quality_applied"] = made.quality == request.quality
    if warnings := _warnings(request, made, original_size):
        meta["warnings"] = warnings
    return meta


def _warnings(request: ImagesRequest, made: raster.Converted, original_size: int) -> list[ResultWarning]:
    found: list[ResultWarning] = []
    if request.quality is not None and made.quality != request.quality and (why := _why_not_applied(request, made)):
        found.append({"code": "quality_not_applied", "message": f"quality: {why}"})
    if made.obstacle and len(made.content) > original_size:
        message = f"file: the result is larger than the input, because {made.obstacle}."
        found.append({"code": "larger_than_input", "message": message})
    return found


def _why_not_applied(request: ImagesRequest, made: raster.Converted) -> str:
    """Return why the requested quality had no effect; empty if `max_bytes` lowered it."""
    if made.format == "png":
        return "has no effect on PNG, which is lossless."
    if not made.reencoded:
        return f"not applied, because encoding at {request.quality} would not make the file smaller than the input."
    if made.obstacle:
        return f"lowered to {made.quality}, because {made.obstacle} and the result must not be larger than the input."
    return ""
