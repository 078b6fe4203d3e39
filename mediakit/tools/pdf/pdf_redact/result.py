"""`RedactedPdf`: the result of `pdf_redact`."""

from collections.abc import Mapping
from typing import Any, Self

import pybase64
from pydantic_core import to_json

from mediakit.results.pdf import PdfResult
from mediakit.results.result import without_usage

PDF = "application/pdf"

COLUMNS = ("page", "kind", "text", "x0", "y0", "x1", "y1")
"""Members of a match, in the order in which a notebook shows them."""


class RedactedPdf(PdfResult):
    """A redacted PDF, or with `find_only` the matches without a PDF."""

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
    def has_file(self) -> bool:
        """Whether there is a PDF."""
        return bool(self.content)

    @property
    def file(self) -> bytes:
        """The PDF; the matches as JSON if there is none."""
        return self.content or to_json(self.matches, indent=2)

    @property
    def caption(self) -> str:
        """The line below the first pages; empty for matches without a PDF."""
        return super().caption if self.has_file else ""

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the PDF, which responses with `find_only` do not have."""
        content = {"type": "string", "contentEncoding": "base64", "x-optional": True}
        return {
            "pdf": {**content, "examples": ["JVBERi0xLjcKJSBzaG9ydGVuZWQgZXhhbXBsZQo="]},
            "mime_type": {"type": "string", "enum": [PDF], "x-optional": True},
        }

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Return the JSON body of the HTTP response; `usage` is added to the meta."""
        if self.has_file:
            return super().envelope(usage)
        return to_json({"success": True, "meta": {**self.meta, **(usage or {})}})

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        return cls(pybase64.b64decode(body.get("pdf", "")), PDF, without_usage(body["meta"]))

    def _repr_mimebundle_(self, **filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        if self.has_file:
            return super()._repr_mimebundle_(**filters)
        from mediakit.display.tables import ShownColumn, table_html

        columns = [ShownColumn(name, "", is_right_aligned=name not in ("kind", "text")) for name in COLUMNS]
        rows = [[str(match[name]) for name in COLUMNS] for match in self.matches]
        return {"text/plain": repr(self), "text/html": table_html(columns, rows, repr(self)[1:-1], len(rows))}, {}

    def __repr__(self) -> str:
        matches = f"{self.found} {'match' if self.found == 1 else 'matches'}"
        return f"{super().__repr__()[:-1]}, {matches}>" if self.has_file else f"<RedactedPdf without a PDF, {matches}>"
