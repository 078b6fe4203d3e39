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

    The EXIF orientation is applied and colours become sRGB; metadata is dropped unless it is to be kept. Pictures that
    move stay so in WebP. A notebook shows before and after side by side.

    Raises:
        InvalidInput: The file is no picture, damaged or too large, or `max_bytes` cannot be met.
    """
    content = content_of(request.file)
    made = await raster.convert_guarded(content, _recipe(request))
    meta = {
        "format": made.format,
        "width": made.width,
        "height": made.height,
        "original_format": made.original_format,
        "original_width": made.original_width,
        "original_height": made.original_height,
        "original_size_bytes": len(content),
        **({"quality": made.quality} if made.quality else {}),
    }
    result = ImageResult(made.content, image_type(made.format), meta)
    result.before = content
    return result


def _recipe(request: ImagesRequest) -> raster.Recipe:
    return raster.Recipe(**{wish.name: getattr(request, wish.name) for wish in fields(raster.Recipe)})
