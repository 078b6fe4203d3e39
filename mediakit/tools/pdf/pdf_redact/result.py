"""The result of `pdf_redact`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mediakit.core.messages import readable_size
from mediakit.core.tool import Wire
from mediakit.display.tables import ShownColumn, table_html
from mediakit.results.data import DataResult
from mediakit.results.files import PdfResult
from mediakit.results.result import Bundle

if TYPE_CHECKING:
    from PIL import Image

COLUMNS = ("page", "kind", "text", "x0", "y0", "x1", "y1")
"""Members of a match, in the order in which a notebook shows them."""


class RedactedPdf(DataResult):
    """A redacted PDF, or with `find_only` the matches without a PDF."""

    _wire = Wire(outputs=("json", "binary", "url", "pdf"), sends_file=True)

    pdf: PdfResult | None = None
    """The redacted PDF; absent with `find_only`."""

    @property
    def found(self) -> int:
        """Number of places on pages where something was found; one over two lines counts once."""
        return int(self.meta["found"])

    @property
    def matches(self) -> list[dict[str, Any]]:
        """Boxes of what was found: `page`, `x0`, `y0`, `x1`, `y1`, `kind`, and with `find_only` the `text`."""
        matches: list[dict[str, Any]] = self.meta["matches"]
        return matches

    @property
    def pages(self) -> int:
        """Number of pages."""
        return int(self.meta["pages"])

    def to_pil(self, page: int = 1, *, dpi: int = 144) -> "Image.Image":
        """Return a Pillow image of a page of the redacted PDF. See `PdfResult.to_pil`."""
        if self.pdf is None:
            raise ValueError("to_pil: there is no PDF, because the call only finds.")
        return self.pdf.to_pil(page, dpi=dpi)

    def _rows(self) -> Sequence[Mapping[str, Any]]:
        return self.matches

    def _facts(self) -> str:
        return "" if self.pdf is None else self.pdf._facts()

    def _caption(self) -> str:
        return "" if self.pdf is None else self.pdf._caption()

    def _bundle(self) -> Bundle:
        if self.pdf is not None:
            return self._file_bundle()
        columns = [ShownColumn(name, "", is_right_aligned=name not in ("kind", "text")) for name in COLUMNS]
        rows = [[str(match[name]) for name in COLUMNS] for match in self.matches]
        return {"text/html": table_html(columns, rows, repr(self)[1:-1], len(rows))}, {}

    def __repr__(self) -> str:
        matches = f"{self.found} {'match' if self.found == 1 else 'matches'}"
        if self.pdf is None:
            return f"<RedactedPdf without a PDF, {matches}>"
        return f"<RedactedPdf {self.pdf._facts()}, {readable_size(len(self.content))}, {matches}>"
