"""`PdfResult`: a PDF."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from mediakit.core.messages import readable_size
from mediakit.results.result import Result

if TYPE_CHECKING:
    from PIL import Image


class PdfResult(Result):
    """A PDF; a notebook shows its first pages."""

    member = "pdf"
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url", "pdf")

    @cached_property
    def pages(self) -> int:
        """Number of pages."""
        if "pages" in self.meta:
            return int(self.meta["pages"])
        from mediakit.display import pdf

        return pdf.count_pages(self.content)

    @property
    def extent(self) -> str:
        """Number of pages, such as `3 pages`."""
        return f"{self.pages} {'page' if self.pages == 1 else 'pages'}"

    @property
    def caption(self) -> str:
        """The line below the first pages, such as `PDF · 3 pages · A4 · 84 kB`."""
        return " · ".join(filter(None, ("PDF", self.extent, self.meta.get("format"), readable_size(len(self.content)))))

    def to_pil(self, page: int = 1, *, dpi: int = 144, password: str | None = None) -> "Image.Image":
        """Return a Pillow image of a page; needs PyMuPDF.

        Args:
            page: The page number, from 1.
            dpi: Pixels an inch.
            password: Opens an encrypted PDF.

        Raises:
            InvalidInput: The page does not exist, its image would be too large, or the PDF needs a password.
        """
        from mediakit.display import pdf

        return pdf.render_page(self.content, page, dpi, password)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.display import pdf

        return pdf.bundle(self.content, pages=self.pages, text=self.caption, alt=self.alt)

    def __repr__(self) -> str:
        return f"<PdfResult {self.extent}, {readable_size(len(self.content))}>"
