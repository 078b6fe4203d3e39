"""The results of `pdf_redact`."""

from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.core.tool import Wire
from mediakit.display.tables import ShownColumn, table_html
from mediakit.results.data import DataResult
from mediakit.results.files import PdfResult
from mediakit.results.result import Bundle, Result

COLUMNS = ("page", "kind", "text", "x0", "y0", "x1", "y1")
"""Members of a match, in the order in which a notebook shows them."""


class Searched(Result):
    """What was found in a PDF."""

    @property
    def found(self) -> int:
        """Number of places on pages where something was found; one over two lines counts once."""
        return int(self.meta["found"])

    @property
    def matches(self) -> list[dict[str, Any]]:
        """Boxes of what was found: `page`, `x0`, `y0`, `x1`, `y1`, `kind`, and with `find_only` the `text`."""
        matches: list[dict[str, Any]] = self.meta["matches"]
        return matches

    def _count(self) -> str:
        return f"{self.found} {'match' if self.found == 1 else 'matches'}"


class RedactedPdf(PdfResult, Searched):
    """A redacted PDF and what was found in it."""

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {self._count()}>"


class PdfMatches(DataResult, Searched):
    """What was found in a PDF with `find_only`; there is no PDF, and `content` is JSON."""

    _wire = Wire(outputs=("json",))

    @property
    def pages(self) -> int:
        """Number of pages."""
        return int(self.meta["pages"])

    def _rows(self) -> Sequence[Mapping[str, Any]]:
        return self.matches

    def _bundle(self) -> Bundle:
        columns = [ShownColumn(name, "", is_right_aligned=name not in ("kind", "text")) for name in COLUMNS]
        rows = [[str(match[name]) for name in COLUMNS] for match in self.matches]
        return {"text/html": table_html(columns, rows, repr(self)[1:-1], len(rows))}, {}

    def __repr__(self) -> str:
        return f"<PdfMatches {self._count()}>"
