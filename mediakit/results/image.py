"""`ImageResult`: an image."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from mediakit.core.messages import readable_size
from mediakit.results.result import Result

if TYPE_CHECKING:
    from PIL import Image


class ImageResult(Result):
    """A picture: the last line of a cell shows it."""

    member = "image"
    before: bytes | None = None
    """The picture that it was made from, to be shown beside it; kept by the function that made it, not by clients."""

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
        """Width and height, as `1200 × 630`."""
        return f"{self.width} × {self.height}"

    @property
    def density(self) -> int:
        """Pixels for each pixel that it is shown at: 2 for the picture of a page at `device_scale_factor` 2."""
        return getattr(self._call[1], "device_scale_factor", 1) if self._call else 1

    @property
    def caption(self) -> str:
        """What a notebook says below a preview; empty below the picture itself."""
        from mediakit.display import images as pictures

        if pictures.fits(self):
            return ""
        full = f"{self.extent} pixels ({readable_size(len(self.content))})"
        return f"Preview of {full}. .save('picture.{self.extension}') writes the full file."

    def to_pil(self) -> "Image.Image":
        """Give the picture as a Pillow image; SVG is drawn at its own size."""
        from mediakit.display import images as pictures

        return pictures.opened(self.content, self.mime_type)

    @cached_property
    def _size(self) -> tuple[int, int]:
        if "width" in self.meta and "height" in self.meta:
            return self.meta["width"], self.meta["height"]
        from mediakit.display import images as pictures

        return pictures.size(self.content, self.mime_type)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.display import images as pictures

        return pictures.bundle(self)

    def __repr__(self) -> str:
        size = readable_size(len(self.content))
        about = f" {self.alt!r}" if self.alt else ""
        return f"<{type(self).__name__} {self.extension.upper()} {self.width}x{self.height}, {size}{about}>"
