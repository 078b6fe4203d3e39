"""The `images` tool: resize, convert and compress an image."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, fields
from typing import Annotated, Any, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import Color, Quality
from mediakit.core.inputs import FILE_SYNONYMS, ImageFile, file_of
from mediakit.core.media import image_type
from mediakit.core.request import plain, request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines import raster
from mediakit.results.files import ImageResult
from mediakit.results.item import ResultWarning
from mediakit.samples import LANDSCAPE

CROP_SCHEMA = {
    "anyOf": [
        {"type": "string", "maxLength": 60},
        {"type": "array", "items": {"type": ["integer", "string"]}, "minItems": 4, "maxItems": 4},
    ],
    "examples": ["100,50,640,480", "10%,0%,80%,100%", [100, 50, 640, 480]],
    "x-kind": "text",
}


def _check_crop(value: Any) -> str:
    """Return an area as text."""
    parts = value if isinstance(value, list | tuple) else [value]
    text = ",".join(str(plain(part)) for part in parts[:5] if isinstance(plain(part), int | float | str))
    return raster.RelativeArea.parse(text).text


Crop = Annotated[str | Sequence[int | str], PlainValidator(_check_crop), WithJsonSchema(CROP_SCHEMA)]
"""Left, top, width and height, each in pixels or in percent (`10%`); normalized to text with commas."""

Side = Annotated[int, Field(ge=1, le=8000)]


@request
class ImagesRequest:
    """An image and how to convert it."""

    file: Annotated[ImageFile, FILE_SYNONYMS]
    """PNG, JPEG, WebP, AVIF, GIF or TIFF image of up to 50 megapixels."""
    _: KW_ONLY
    width: Annotated[Side | None, Synonyms("size, w, max_width, new_width, resize")] = None
    """Width in pixels. Without a height the aspect ratio is kept."""
    height: Annotated[Side | None, Synonyms("size, h, max_height, new_height, resize")] = None
    """Height in pixels. Without a width the aspect ratio is kept."""
    fit: Annotated[
        raster.Fit,
        Synonyms(
            "mode, resize_mode, method",
            {
                "cover": "crop",
                "contain": "pad, letterbox, fit",
                "fill": "stretch, distort",
                "inside": "max, scale down, thumbnail",
                "outside": "min",
            },
        ),
    ] = "cover"
    """How the image fits into width and height if both are set."""
    position: raster.PositionField = "center"
    """Part of the image that `cover` keeps, or its place in `contain`. `entropy` and `attention` find the subject."""
    format: Annotated[
        raster.OutputFormat | None, Synonyms("type, to, ext, extension, output_format, image_format, convert")
    ] = None
    """Output format. Default: that of the input; GIF and TIFF become PNG, animated GIF becomes WebP."""
    quality: Quality | None = None
    """Quality of JPEG, WebP and AVIF. Higher values look better and make larger files."""
    max_bytes: (
        Annotated[int, Field(ge=1, le=100_000_000), Synonyms("max_size, target_size, file_size, max_kb, size_limit")]
        | None
    ) = None
    """Maximum size of the result in bytes. The best quality that fits is used."""
    background: Annotated[Color | None, Synonyms("bg, background_color, color, fill")] = None
    """Color behind transparency and around the image in `contain`. Default: transparent, white in JPEG."""
    crop: Annotated[Crop | None, Synonyms("area, box, region, trim")] = None
    """Area to keep, before the image is resized: left, top, width and height in pixels, or in percent such as `10%`."""
    without_enlargement: Annotated[bool, Synonyms("no_upscale, upscale, enlarge, no_enlargement")] = False
    """Never scale the image up."""
    keep_metadata: Annotated[bool, Synonyms("metadata, exif, keep_exif, strip")] = False
    """Keep EXIF, XMP and resolution. They can contain the author and location of a photograph."""

    @model_validator(mode="after")
    def _requires_an_option(self) -> Self:
        options = (self.width, self.height, self.format, self.quality, self.max_bytes, self.crop)
        if all(option is None for option in options):
            raise ValueError("At least one of width, height, format, quality, max_bytes and crop is required.")
        return self


META: Mapping[str, meta_schemas.Schema] = {
    "format": meta_schemas.FORMAT,
    "width": meta_schemas.WIDTH,
    "height": meta_schemas.HEIGHT,
    "original_format": meta_schemas.text("Format of the input.", "jpeg"),
    "original_width": meta_schemas.integer("Width of the input in pixels.", 1600),
    "original_height": meta_schemas.integer("Height of the input in pixels.", 1000),
    "original_size_bytes": meta_schemas.integer("Size of the input.", 64268),
    "quality": meta_schemas.optional(meta_schemas.integer("Quality of the result.", 80)),
    "quality_applied": meta_schemas.optional(
        meta_schemas.boolean("Whether the requested quality was used.", example=True)
    ),
    "warnings": meta_schemas.optional(meta_schemas.WARNINGS),
}


@tool(
    ImagesRequest,
    tag="Images",
    raw={"image/*": "file"},
    produces=("image/jpeg", "image/png", "image/webp", "image/avif"),
    alt=lambda request: f"Image: {name}" if (name := file_of(request.file).name) else "",
    meta=META,
    examples=[
        Example(
            "Square crop of the subject", {"file": LANDSCAPE, "width": 400, "height": 400, "position": "attention"}
        ),
        Example("Part of the image", {"file": LANDSCAPE, "crop": "10%,0%,50%,100%", "width": 400}),
        Example("Web banner", {"file": LANDSCAPE, "width": 1200, "height": 400, "format": "webp", "quality": 75}),
        Example(
            "Whole image with borders",
            {"file": LANDSCAPE, "width": 400, "height": 400, "fit": "contain", "format": "png"},
        ),
        Example("Best quality below 20 kB", {"file": LANDSCAPE, "width": 1200, "format": "jpeg", "max_bytes": 20_000}),
    ],
)
async def images(request: ImagesRequest) -> ImageResult:
    """Resize, convert or compress an image.

    The EXIF orientation is applied and colors are converted to sRGB. Metadata is removed unless `keep_metadata` is set.
    Animations stay animated in WebP, and animated PNG in PNG. PNG keeps 16 bits per channel of PNG and gray TIFF, with
    their color profile. `meta.warnings` names what a result does not keep: frames, pages, bits, color data. A notebook
    shows the image before and after side by side.

    If format and size stay the same, the result is never larger than the input: image data that would grow is kept as
    it is, without its metadata. If the pixels must change (for example to apply the orientation), a lower quality is
    chosen instead. `meta.quality` is the quality that was encoded with. With a requested `quality`,
    `meta.quality_applied` reports whether it was used, and `meta.warnings` why not. The only
    exception is an image whose pixels must change and for which no quality is low enough: `meta.warnings` then lists
    `larger_than_input`.

    Raises:
        InvalidInput: The file is not an image, is damaged or too large, the result does not fit into `max_bytes`, or
            `crop` is not inside the image.
    """
    content = file_of(request.file)
    names = (field.name for field in fields(raster.ConvertOptions) if field.name != "crop")
    crop = raster.RelativeArea.parse(str(request.crop)) if request.crop else None
    options = raster.ConvertOptions(crop=crop, **{name: getattr(request, name) for name in names})
    converted = await raster.convert_isolated(content, options)
    facts = ("format", "width", "height", "original_format", "original_width", "original_height")
    meta = {**{name: getattr(converted, name) for name in facts}, "original_size_bytes": len(content)}
    if converted.quality is not None:
        meta["quality"] = converted.quality
    if request.quality is not None:
        meta["quality_applied"] = converted.quality == request.quality
    if warnings := _warnings(request, converted, len(content)):
        meta["warnings"] = warnings
    result = ImageResult(converted.content, image_type(converted.format), meta)
    result.original = content
    return result


def _warnings(request: ImagesRequest, converted: raster.Converted, original_size: int) -> list[ResultWarning]:
    found = list(converted.warnings)
    why = ""  # also if `max_bytes` lowered the quality
    if request.quality is not None and converted.quality != request.quality:
        if converted.format == "png":
            why = "has no effect on PNG, which is lossless."
        elif not converted.reencoded:
            why = f"not applied, because encoding at {request.quality} would not make the file smaller than the input."
        elif converted.reencode_reason:
            reason = f"{converted.reencode_reason} and the result must not be larger than the input"
            why = f"lowered to {converted.quality}, because {reason}."
    if why:
        found.append({"code": "quality_not_applied", "message": f"quality: {why}"})
    if converted.reencode_reason and len(converted.content) > original_size:
        message = f"file: the result is larger than the input, because {converted.reencode_reason}."
        found.append({"code": "larger_than_input", "message": message})
    return found
