"""`ImageInfo`: what an image is."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult
from mediakit.results.legacy import LegacyData, without_usage
from mediakit.tools.images.image_info.response_schema import SCHEMA

_OPTIONAL = ("exif", "gps")
"""Fields that are absent if the call does not want them."""


class ImageInfo(LegacyData):
    """What an image is. Its attributes are the fields of the HTTP response."""

    format: str
    """`png`, `jpeg`, `webp`, `avif`, `gif`, `tiff`, `bmp`, `ico` or `heic`."""
    mime_type: str
    extension: str = ""
    """Usual file name extension with the dot."""
    width: int
    """Pixels of the upright image."""
    height: int
    """Pixels of the upright image."""
    stored_width: int
    """Pixels, before the orientation is applied."""
    stored_height: int
    """Pixels, before the orientation is applied."""
    megapixels: float
    aspect_ratio: str | None
    """Reduced, such as `3:2`; None if a number is above 100."""
    orientation: int
    """EXIF orientation, 1 to 8."""
    color_mode: str
    """`gray`, `rgb`, `palette`, `cmyk` or `lab`."""
    bit_depth: int
    """Bits per channel, or per index of a palette."""
    has_alpha: bool
    transparent: bool
    """Whether a pixel is not opaque."""
    animated: bool
    frames: int
    duration_ms: int | None
    loop: int | None
    """How often an animation repeats, 0: endlessly; None for a still image."""
    delays_ms: list[int] | None
    """Delays of the first 1000 frames; None for a still image."""
    dpi: list[float] | None
    progressive: bool | None
    """Whether a JPEG is progressive or a PNG interlaced; None for other formats."""
    quality: int | None
    """Quality of a JPEG, estimated from its tables."""
    icc_profile: str | None
    """Description of the color profile."""
    wide_gamut: bool
    """Whether the profile's primaries reach beyond sRGB."""
    taken_at: str | None
    """ISO 8601, with an offset only if the file has one."""
    camera: str | None
    lens: str | None
    exposure: dict[str, Any] | None
    """`time` such as `1/250`, `f_number`, `iso` and `focal_mm`."""
    exif: dict[str, Any] | None = None
    """EXIF values by the name of their tag."""
    has_gps: bool
    """Whether the file has a location."""
    gps: dict[str, float | None] | None = None
    """`latitude` and `longitude` in degrees, `altitude` in meters."""
    text: dict[str, str] | None
    """PNG texts and comments."""
    palette: list[dict[str, Any]] | None
    """`color` and `share` of the main colors, largest share first."""
    hashes: dict[str, str] | None
    """Hexadecimal digits of `average`, `perceptual`, `difference`, `color` and `sha256`."""
    truncated: bool
    """Whether the file ends early."""
    size_bytes: int

    def __init__(
        self,
        fields: Mapping[str, Any],
        meta: Mapping[str, Any] | None = None,
        *,
        thumbnail: bytes = b"",
        alt: str = "",
    ) -> None:
        self._names = [name for name in SCHEMA if name in fields or name not in _OPTIONAL]
        for name in self._names:
            setattr(self, name, fields[name])
        self.meta = dict(meta or {})
        self._alt = alt
        self._thumbnail = thumbnail

    @property
    def content(self) -> bytes:  # type: ignore[override]  # made on demand
        """The fields and the meta as a JSON file."""
        return self.file

    @property
    def extent(self) -> str:
        """Width and height of the described image, such as `1200 × 630`."""
        return f"{self.width} × {self.height}"

    @property
    def file_extension(self) -> str:
        """The extension of the saved fields: `json`."""
        return "json"

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        return {name: getattr(self, name) for name in self._names}

    def rows(self) -> list[dict[str, Any]]:
        """Return one row: the fields, with those of `exposure`, `gps` and `hashes` as columns of their own."""
        nested = ("exposure", "gps", "hashes", "exif", "text", "palette")
        flat = {name: value for name, value in self.fields().items() if name not in nested}
        colors = {"palette": ", ".join(one["color"] for one in self.palette)} if self.palette else {}
        return [{**flat, **(self.exposure or {}), **(self.gps or {}), **colors, **(self.hashes or {})}]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the fields as a JSON file and return its path."""
        return self._json_file().save(path)

    def data_uri(self) -> str:
        """Return the fields as a `data:` URI of JSON."""
        return self._json_file().data_uri()

    def _json_file(self) -> FileResult:
        return FileResult(self.file, "application/json", "image-info.json")

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of each field."""
        return dict(SCHEMA)

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        try:
            return cls(body, without_usage(body["meta"]))
        except KeyError as error:
            raise InvalidInput(f"The server's response does not describe an image: {error} is missing.") from None

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.images.image_info import notebook_view

        shown = notebook_view.html(self.fields(), self.meta, self._thumbnail)
        return {"text/plain": repr(self), "text/html": shown}, {}

    def __repr__(self) -> str:
        frames = f", {self.frames} frames" if self.animated else ""
        return f"<ImageInfo {self.format.upper()} {self.width}x{self.height}{frames}>"
