"""The tool `image_info`: its request, result and function."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core import meta_schemas
from mediakit.core.inputs import FILE_SYNONYMS, ImageFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.data import JsonResult
from mediakit.results.item import field
from mediakit.results.result import Coded
from mediakit.samples import LABEL, LANDSCAPE, LOGO


@request
class ImageInfoRequest:
    """An image, and what to find out beyond its facts."""

    file: Annotated[ImageFile, FILE_SYNONYMS]
    """PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP or ICO image of up to 50 megapixels; HEIC if pillow-heif is installed."""
    _: KW_ONLY
    palette: Annotated[int, Field(ge=0, le=10), Synonyms("colors, colours")] = 0
    """Number of main colors to name."""
    hashes: Annotated[bool, Synonyms("hash, phash, checksum")] = False
    """Calculate perceptual hashes and SHA-256."""
    exif: bool = True
    """Return `exif` and `gps`. `has_gps` states in any case whether the file has a location."""


Format = Literal["png", "jpeg", "webp", "avif", "gif", "tiff", "bmp", "ico", "heic"]
Orientation = Annotated[int, Field(ge=1, le=8, examples=[1])]


class Exposure(TypedDict):
    """How an image was taken."""

    time: str | None
    """Seconds, such as `1/250`."""
    f_number: int | float | None
    iso: int | float | None
    focal_mm: int | float | None


class Place(TypedDict):
    """The location of an image."""

    latitude: float
    longitude: float
    altitude: int | float | None
    """Meters above the sea."""


class PaletteColor(TypedDict):
    """A main color of an image."""

    color: str
    share: Annotated[float, Field(ge=0, le=1)]


class ImageInfo(JsonResult, Coded, kw_only=True):
    """What an image is."""

    _view = "mediakit.tools.images.image_info.view:bundle"

    format: Annotated[Format, Field(examples=["jpeg"])]
    mime_type: Annotated[str, Field(examples=["image/jpeg"])]
    extension: Annotated[str, Field(examples=[".jpg"])]
    """Usual extension with the dot."""
    width: Annotated[int, Field(examples=[1600])]
    """Pixels, upright."""
    height: Annotated[int, Field(examples=[1000])]
    """Pixels, upright."""
    stored_width: Annotated[int, Field(examples=[1600])]
    """Pixels, before the orientation is applied."""
    stored_height: Annotated[int, Field(examples=[1000])]
    """Pixels, before the orientation is applied."""
    megapixels: Annotated[int | float, Field(examples=[1.6])]
    aspect_ratio: Annotated[str | None, Field(examples=["8:5"])]
    """Reduced; null if a number is above 100."""
    orientation: Orientation
    """EXIF orientation."""
    color_mode: Annotated[Literal["gray", "rgb", "palette", "cmyk", "lab"], Field(examples=["rgb"])]
    bit_depth: Annotated[int, Field(examples=[8])]
    """Bits per channel, or per index of a palette."""
    has_alpha: Annotated[bool, Field(examples=[False])]
    transparent: Annotated[bool, Field(examples=[False])]
    """Whether a pixel is not opaque."""
    animated: Annotated[bool, Field(examples=[False])]
    frames: Annotated[int, Field(examples=[1])]
    """Frames, or pages of a TIFF."""
    duration_ms: Annotated[int | None, Field(examples=[None])]
    """Duration of an animation."""
    loop: Annotated[int | None, Field(examples=[None])]
    """How often an animation repeats; 0: endlessly."""
    delays_ms: Annotated[list[int] | None, Field(examples=[None])]
    """Delays of the first 1000 frames."""
    dpi: Annotated[list[int | float] | None, Field(examples=[[72, 72]])]
    """Horizontal and vertical resolution."""
    progressive: Annotated[bool | None, Field(examples=[False])]
    """Progressive JPEG or interlaced PNG; null for other formats."""
    quality: Annotated[int | None, Field(examples=[82])]
    """Quality of a JPEG, estimated from its tables."""
    icc_profile: Annotated[str | None, Field(examples=["sRGB IEC61966-2.1"])]
    """Description of the color profile."""
    wide_gamut: Annotated[bool, Field(examples=[False])]
    """Whether colors reach beyond sRGB."""
    taken_at: Annotated[str | None, Field(examples=["2024-05-04T18:20:11+02:00"])]
    """ISO 8601, with an offset only if the file has one."""
    camera: Annotated[str | None, Field(examples=["ACME Model 7"])]
    """Maker and model."""
    lens: Annotated[str | None, Field(examples=[None])]
    """Maker and model of the lens."""
    exposure: Annotated[Exposure | None, Field(examples=[{"time": "1/250", "f_number": 8, "iso": 100, "focal_mm": 35}])]
    """How the image was taken."""
    exif: Annotated[dict[str, Any] | None, Field(examples=[{"Make": "ACME"}])] = field(metadata={"optional": True})
    """EXIF values by the name of their tag; absent with `exif=false`."""
    has_gps: Annotated[bool, Field(examples=[False])]
    """Whether the file has a location."""
    gps: Annotated[Place | None, Field(examples=[{"latitude": 40.416667, "longitude": -3.7, "altitude": 650}])] = field(
        metadata={"optional": True}
    )
    """Degrees, and meters above the sea; absent with `exif=false`."""
    text: Annotated[dict[str, str] | None, Field(examples=[{"Title": "Lake"}])]
    """PNG texts and comments."""
    palette: Annotated[list[PaletteColor] | None, Field(examples=[[{"color": "#1d3f72", "share": 0.41}]])]
    """Main colors, largest share first."""
    hashes: Annotated[dict[str, str] | None, Field(examples=[{"perceptual": "9c3c6cc9c3363936"}])]
    """Hexadecimal digits by the name of the hash: average, perceptual, difference, color and sha256."""
    truncated: Annotated[bool, Field(examples=[False])]
    """Whether the file ends early."""
    size_bytes: Annotated[int, Field(examples=[64268])]

    def _facts(self) -> str:
        return f"{self.width} × {self.height}"

    def _rows(self) -> list[Mapping[str, Any]]:
        nested = ("exposure", "gps", "hashes", "exif", "text", "palette")
        flat = {name: value for name, value in self._members().items() if name not in nested}
        colors = {"palette": ", ".join(one["color"] for one in self.palette)} if self.palette else {}
        return [{**flat, **(self.exposure or {}), **(self.gps or {}), **colors, **(self.hashes or {})}]

    def __repr__(self) -> str:
        frames = f", {self.frames} frames" if self.animated else ""
        return f"<ImageInfo {self.format.upper()} {self.width}x{self.height}{frames}>"


META: Mapping[str, meta_schemas.Schema] = {
    "palette_rest": meta_schemas.optional(
        {"type": "number", "description": "Share of the pixels that `palette` leaves out.", "examples": [0.08]}
    ),
    "warnings": meta_schemas.texts("What may not be as expected, such as a location in the file."),
}


@tool(
    ImageInfoRequest,
    tag="Images",
    raw={"image/*": "file"},
    produces={"json": "application/json"},
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("Facts of a photo", {"file": LANDSCAPE}),
        Example("Main colors", {"file": LANDSCAPE, "palette": 5}),
        Example("Hashes to find similar images", {"file": LOGO, "hashes": True}),
        Example("Without EXIF data", {"file": LABEL, "exif": False}),
    ],
)
async def image_info(request: ImageInfoRequest) -> ImageInfo:
    """Tell what an image is: size, colors, animation, EXIF, location, palette, hashes.

    Nothing is changed. Width and height are those of the upright image. `quality` of a JPEG is estimated from its
    tables. `palette` lists the main colors by their share of the visible pixels; hashes of similar images differ in few
    bits. A file that ends early is described as far as it can be read, with `truncated` set.

    Raises:
        InvalidInput: The file is not an image, is damaged, or has more than 50 megapixels (200 in all frames together).
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.images.image_info.inspection:inspect_image", Guard("image", seconds=10)
    fields, meta, thumbnail = await run_guarded(
        work, request, returns=tuple[dict[str, Any], dict[str, Any], bytes], guard=guard
    )
    omitted = () if request.exif else ("exif", "gps")
    info = ImageInfo(**{**fields, **dict.fromkeys(omitted)}, meta=meta)._without(*omitted)
    vars(info)["_thumbnail"] = thumbnail
    return info
