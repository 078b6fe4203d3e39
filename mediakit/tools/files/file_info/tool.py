"""`file_info`: identifies a file by its content."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core import meta_schemas
from mediakit.core.inputs import MAX_NAME_LENGTH, File, file_of
from mediakit.core.messages import readable_size
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.file_types import Kind
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.data import JsonResult
from mediakit.results.result import Bundle, Coded
from mediakit.samples import LANDSCAPE, REPORT, SALES

Hash = Literal["md5", "sha1", "sha256", "sha512", "sha3-256", "blake2b", "crc32", "crc32c"]

META: Mapping[str, meta_schemas.Schema] = {
    "warnings": meta_schemas.texts("What may not be as expected, such as an extension of another type."),
}

_HIGH_ENTROPY = 7.5


@request
class FileInfoRequest:
    """A file, and which hashes to calculate."""

    file: File
    """The file, of any kind."""
    _: KW_ONLY
    hashes: Annotated[Sequence[Hash], Field(max_length=8), Synonyms("hash, algorithms, checksums")] = ("sha256",)
    """Hashes to calculate: `md5`, `sha1`, `sha256`, `sha512`, `sha3-256`, `blake2b`, `crc32` and `crc32c`."""
    filename: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)] | None = None
    """Name of the file, to check its extension. Paths and forms bring their own."""

    @property
    def name(self) -> str:
        """The name of the file; empty if it is unknown."""
        return self.filename or file_of(self.file).name


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

    def _bundle(self) -> Bundle:
        from mediakit.display import facts_html

        return {
            "text/html": facts_html(self.description, self.mime_type, _shown_facts(self), self.meta["warnings"])
        }, {}

    def __repr__(self) -> str:
        return f"<FileInfo {self.description}, {self.mime_type}, {self._facts()}>"


@tool(
    FileInfoRequest,
    tag="Files",
    raw={"application/octet-stream": "file", "*/*": "file"},
    produces={"json": "application/json"},
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("What a file is", {"file": LANDSCAPE}),
        Example("Several hashes", {"file": REPORT, "hashes": ["md5", "sha256", "crc32c"], "filename": "report.pdf"}),
        Example("Charset and lines of a text", {"file": SALES, "hashes": []}),
        Example("An extension to check", {"file": REPORT, "filename": "report.docx"}),
    ],
)
async def file_info(request: FileInfoRequest) -> FileInfo:
    """Identify a file by its content: media type, details, hashes, entropy.

    The content alone decides; the name only chooses between kinds of text that look alike, and is checked against the
    type. Archives are judged by their directory: a Word document is not just a ZIP file. `alternatives` are the types
    that the file is as well, as an image that has a ZIP archive behind it. Nothing in the file is run or unpacked.

    Raises:
        InvalidInput: The file is empty.
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.files.file_info.inspection:inspect_file", Guard("file", seconds=10)
    fields, warnings = await run_guarded(work, request, returns=tuple[dict[str, Any], list[str]], guard=guard)
    return FileInfo(**fields, meta={"warnings": warnings})


def _shown_facts(info: FileInfo) -> Iterator[tuple[str, str]]:
    yield "Size", f"{readable_size(info.size_bytes)} ({info.size_bytes:,} bytes)"
    yield "Extension", info.extension
    details = info.details
    if "width" in details:
        yield "Pixels", f"{details['width']:,} × {details['height']:,}"
    if details.get("frames", 1) > 1:
        yield "Frames", f"{details['frames']:,}"
    if "pages" in details:
        yield "Pages", f"{details['pages']:,}"
    if "entries" in details:
        yield "Entries", f"{details['entries']:,}, unpacked {readable_size(details['unpacked_bytes'])}"
    if "charset" in details:
        yield "Charset", details["charset"]
        yield "Lines", f"{details['lines']:,}" + (f" ({details['newline']})" if details["newline"] else "")
    if "duration_seconds" in details:
        minutes, seconds = divmod(details["duration_seconds"], 60)
        yield "Duration", f"{int(minutes)}:{seconds:04.1f}" if minutes else f"{seconds:.1f} s"
    yield "Encrypted", {True: "yes", False: "no", None: ""}[info.encrypted]
    yield "Also", ", ".join(info.alternatives)
    note = ", like compressed or encrypted data" if info.entropy > _HIGH_ENTROPY else ""
    yield "Entropy", f"{info.entropy:.2f} of 8 bits per byte{note}"
    yield from ((name.upper(), value) for name, value in info.hashes.items())
