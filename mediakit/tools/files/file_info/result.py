"""`FileInfo`: what a file is."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core.messages import readable_size
from mediakit.engines.file_types.file_type import Kind
from mediakit.results.data import JsonResult
from mediakit.results.result import Coded


class Details(TypedDict, total=False):
    """What is known of a file by its kind."""

    width: int
    """Pixels, as stored."""
    height: int
    """Pixels, as stored."""
    frames: int
    pages: int
    entries: int
    """Files of an archive."""
    unpacked_bytes: int
    """As the archive states it."""
    charset: str
    lines: int
    newline: Literal["lf", "crlf", "cr", "mixed"] | None
    duration_seconds: int | float


class FileInfo(JsonResult, Coded):
    """What a file is."""

    _view = "mediakit.tools.files.file_info.notebook_view:bundle"

    mime_type: Annotated[str, Field(examples=["image/png"])]
    """Media type of the file; application/octet-stream if it is unknown."""
    extension: Annotated[str, Field(examples=[".png"])]
    """Usual extension with the dot, or empty."""
    description: Annotated[str, Field(examples=["PNG image"])]
    """The type in words."""
    kind: Annotated[Kind, Field(examples=["image"])]
    size_bytes: Annotated[int, Field(examples=[20335])]
    hashes: Annotated[dict[str, str], Field(examples=[{"crc32": "352441c2"}])]
    """Hexadecimal digits by the name of the hash."""
    extension_matches: Annotated[bool | None, Field(examples=[True])]
    """Whether the extension of the name fits the type; null if nothing is known of it."""
    encrypted: Annotated[bool | None, Field(examples=[None])]
    """For PDF, Office and ZIP files."""
    details: Annotated[Details, Field(examples=[{"width": 800, "height": 500, "frames": 1}])]
    """What is known by kind."""
    alternatives: Annotated[list[str], Field(examples=[[]])]
    """Media types that the file is as well."""
    entropy: Annotated[int | float, Field(ge=0, le=8, examples=[7.91])]
    """Bits per byte; near 8 for compressed and encrypted data."""

    def _facts(self) -> str:
        return readable_size(self.size_bytes)

    def _rows(self) -> list[Mapping[str, Any]]:
        flat = {name: value for name, value in self._members().items() if name not in ("hashes", "details")}
        return [{**flat, "alternatives": ", ".join(self.alternatives), **self.hashes, **self.details}]

    def __repr__(self) -> str:
        return f"<FileInfo {self.description}, {self.mime_type}, {self._facts()}>"
