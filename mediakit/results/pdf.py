"""`PdfResult`: a PDF."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from mediakit.core.messages import readable_size
from mediakit.results.result import Result

if TYPE_CHECKING:
    from PIL import Image


class PdfResult(Result):
    """A PDF: the last line of a cell shows its first pages."""

    member = "pdf"

    @cached_property
    def pages(self) -> int:
        """Number of pages."""
        if "pages" in self.meta:
            return int(self.meta["pages"])
        from mediakit.display import pdf_pages as pages

        return pages.count(self.content)

    @property
    def extent(self) -> str:
        """Number of pages, as `3 pages`."""
        return f"{self.pages} {'page' if self.pages == 1 else 'pages'}"

    @property
    def caption(self) -> str:
        """What a notebook says below the first pages, as `PDF · 3 pages · A4 · 84 kB`."""
        return " · ".join(filter(None, ("PDF", self.extent, self.meta.get("format"), readable_size(len(self.content)))))

    def to_pil(self, page: int = 1, *, dpi: int = 144) -> "Image.Image":
        """Draw a page as a Pillow image; needs PyMuPDF.

        Args:
            page: Its number, from 1.
            dpi: Pixels an inch.

        Raises:
            InvalidInput: There is no such page, or its picture would be too large.
        """
        from mediakit.display import pdf_pages as pages

        return pages.drawn(self.content, page, dpi)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.display import pdf_pages as pages

        return pages.bundle(self)

    def __repr__(self) -> str:
        return f"<PdfResult {self.extent}, {readable_size(len(self.content))}>"
