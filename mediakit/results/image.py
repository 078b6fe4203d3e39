"""`ImageResult`: an image."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from mediakit.core.messages import readable_size
from mediakit.core.tool import Tool
from mediakit.results.result import Result

if TYPE_CHECKING:
    from PIL import Image

    from mediakit.display.images import DisplayedImage


class ImageResult(Result):
    """An image; a notebook shows it."""

    _internal_names = frozenset(("pixel_ratio",))
    member = "image"
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url", "image")
    original: bytes | None = None
    """The image that it was converted from, shown beside it; set by the tool, absent in results of a client."""
    pixel_ratio: int = 1
    """Image pixels in a CSS pixel: 2 for an image of a page rendered with `device_scale_factor=2`."""

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self._size[0]

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self._size[1]

    @property
    def extent(self) -> str:
        """Width and height, such as `1200 × 630`."""
        return f"{self.width} × {self.height}"

    @property
    def caption(self) -> str:
        """The text below a preview; empty if the notebook stores the full image."""
        if self._displayed.fits:
            return ""
        full = f"{self.extent} pixels ({readable_size(len(self.content))})"
        return f"Preview of {full}. .save('image.{self.extension}') writes the full file."

    def to_pil(self) -> "Image.Image":
        """Return a Pillow image; an SVG is rendered at its own size."""
        from mediakit.display import images

        return images.decode(self.content, self.mime_type)

    def attach_call(self, tool: Tool[..., Any], request: Any) -> None:
        """Store the call that returned this result; sets the pixel ratio."""
        super().attach_call(tool, request)
        if tool.pixel_ratio:
            self.pixel_ratio = tool.pixel_ratio(request)

    @cached_property
    def _size(self) -> tuple[int, int]:
        if "width" in self.meta and "height" in self.meta:
            return self.meta["width"], self.meta["height"]
        from mediakit.display import images

        return images.size(self.content, self.mime_type)

    @property
    def _displayed(self) -> "DisplayedImage":
        from mediakit.display.images import DisplayedImage

        return DisplayedImage(
            self.content,
            self.mime_type,
            self.width,
            self.height,
            text=repr(self),
            alt=self.alt,
            pixel_ratio=self.pixel_ratio,
            original=self.original,
        )

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.display import images

        return images.bundle(self._displayed)

    def __repr__(self) -> str:
        size = readable_size(len(self.content))
        alt = f" {self.alt!r}" if self.alt else ""
        return f"<{type(self).__name__} {self.extension.upper()} {self.width}x{self.height}, {size}{alt}>"
