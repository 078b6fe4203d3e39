"""The result of `code_reader`: the codes of a file, and a notebook display."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from mediakit.core import meta_schemas
from mediakit.core.tool import Wire
from mediakit.results.data import DataResult
from mediakit.results.item import adapter, to_plain
from mediakit.tools.images.code_reader.code import Code

MAX_CODES_IN_REPR = 3
"""Codes that `repr` shows."""

EXAMPLE: dict[str, Any] = {
    "format": "QRCode",
    "text": "https://example.com",
    "bytes_base64": "aHR0cHM6Ly9leGFtcGxlLmNvbQ==",
    "content_type": "text",
    "symbology_identifier": "]Q1",
    "page": None,
    "position": {
        "top_left": [25, 25],
        "top_right": [175, 25],
        "bottom_right": [175, 175],
        "bottom_left": [25, 175],
    },
    "box": {"x": 25, "y": 25, "width": 150, "height": 150},
    "orientation": 0,
    "ec_level": "M",
    "version": "2",
    "gtin": None,
    "add_on": None,
    "gs1": None,
    "parsed": {"type": "url", "url": "https://example.com"},
    "confidence": "high",
}
"""A QR code with a URL."""

META: Mapping[str, Mapping[str, Any]] = {
    "kind": {"type": "string", "enum": ["image", "pdf"]},
    "width": {
        "type": "integer",
        "description": "Width of the image, or of the first page read, in pixels.",
        "examples": [200],
    },
    "height": {"type": "integer", "examples": [200]},
    "pages_read": {
        "type": ["array", "null"],
        "items": {"type": "integer"},
        "description": "Pages of a PDF or of a TIFF with several pages that were read.",
        "examples": [None],
    },
    "passes": {"type": "integer", "description": "Number of passes after the first.", "examples": [0]},
    "effort": {"type": "string", "const": "normal", "description": "Effort of the scan; there is one level."},
    "formats": {"type": "array", "items": {"type": "string"}, "examples": [["AllReadable"]]},
    "warnings": meta_schemas.WARNINGS,
}


class CodesResult(DataResult):
    """The codes of a file, by page, from top to bottom and left to right: `codes[0].text`."""

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True)
    _view = "mediakit.tools.images.code_reader.notebook_view:bundle"

    codes: Annotated[list[Code], Field(examples=[[EXAMPLE]])]
    """The decoded codes; empty if there are none."""
    count: Annotated[int, Field(examples=[1])]
    """Number of codes."""
    truncated: bool
    """Whether the file has more codes than max_codes."""

    @property
    def texts(self) -> list[str]:
        """The texts of the codes, in reading order."""
        return [code.text for code in self.codes]

    def _has_file(self) -> bool:
        return True

    def _facts(self) -> str:
        return f"{self.count} {'code' if self.count == 1 else 'codes'}"

    def _rows(self) -> list[Mapping[str, Any]]:
        return [to_plain(code) for code in self.codes]

    def __iter__(self) -> Iterator[Code]:
        return iter(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: int) -> Code:
        return self.codes[index]

    def __repr__(self) -> str:
        named = [f"{code.format} {_short(code.text)}" for code in self.codes[:MAX_CODES_IN_REPR]]
        rest = [f"{self.count - MAX_CODES_IN_REPR} more"] if self.count > MAX_CODES_IN_REPR else []
        return f"<CodesResult {self._facts()}{': ' if named else ''}{', '.join(named + rest)}>"


def codes_result(fields: dict[str, Any]) -> CodesResult:
    """Return the result of the fields of the response."""
    codes = adapter(list[Code]).validate_python(fields["codes"])
    return CodesResult(codes, len(codes), fields["truncated"], meta=fields["meta"])


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")
