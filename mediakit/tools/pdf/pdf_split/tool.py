"""The tool `pdf_split`: its request and result."""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import Password
from mediakit.core.inputs import PdfFile, file_of
from mediakit.core.media import safe_name
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.page_ranges import PageRange
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult, ZipResult
from mediakit.samples import REPORT

Mode = Literal["every", "ranges", "size", "bookmarks", "blank"]

MODES: dict[str, Mode] = {"ranges": "ranges", "every": "every", "max_bytes": "size"}
"""The fields that need a mode."""

ALLOWED = "{name}, {n}, {n:03}, {title}, {label}, {first} and {last}"

MAX_NAME_LENGTH = 110
"""Characters of a name; the extension and a number that makes it unique are added."""

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}|[{}]")
_KNOWN = re.compile(r"name|n|title|label|first|last|(?:n|first|last):0[1-9]", re.ASCII)


def check_pattern(pattern: str) -> str:
    """Return a pattern such as `{name}-{n:03}` without the extension `.pdf`.

    Raises:
        ValueError: A placeholder is unknown.
    """
    for match in _PLACEHOLDER.finditer(pattern):
        if match[1] is None or not _KNOWN.fullmatch(match[1]):
            raise ValueError(f"can have {ALLOWED}, got {match[0]}.")
    return pattern.removesuffix(".pdf")


@request
class PdfSplitRequest:
    """A PDF, and where to split it."""

    file: PdfFile
    """A PDF."""
    _: KW_ONLY
    mode: Annotated[
        Mode | None,
        Synonyms(
            "by, method, split_by",
            {
                "every": "pages, page, each, single",
                "ranges": "range",
                "size": "bytes",
                "bookmarks": "outline, chapters, toc",
                "blank": "blank pages, empty",
            },
        ),
    ] = None
    """Where parts begin: after a number of pages (`every`), at page ranges (`ranges`), below a file size (`size`), at
    bookmarks (`bookmarks`) or at blank pages, which are omitted (`blank`). Default: the mode of the field that is set;
    without any, every page is a part."""
    ranges: (
        Annotated[list[PageRange], Field(min_length=1, max_length=100), Synonyms("pages, page_ranges, parts")] | None
    ) = None
    """A page range for each part, such as `1-3,5` or `7-` (to the last page). A page can be in several parts."""
    every: Annotated[int, Field(ge=1, le=500), Synonyms("n, step, chunk, chunk_size, pages_per_file")] | None = None
    """Pages of a part."""
    level: Annotated[int, Field(ge=1, le=6)] = 1
    """`bookmarks`: a part begins at each bookmark down to this level."""
    max_bytes: Annotated[int, Field(ge=10_000, le=20_000_000), Synonyms("max_size, size")] | None = None
    """Maximum size of a part in bytes. Each part has as many pages as fit."""
    filename: Annotated[
        str, Field(min_length=1, max_length=100), AfterValidator(check_pattern), Synonyms("name, names, pattern")
    ] = "{name}-{n}"
    """File names of the parts. `{name}` is the name of the file, `{n}` the number of the part (`{n:03}` with three
    digits), `{title}` its bookmark, `{label}` the label of its first page, and `{first}` and `{last}` are its first and
    last page."""
    password: Password | None = None
    """Password of an encrypted file. The parts are not encrypted."""

    @model_validator(mode="after")
    def _check_mode(self) -> Self:
        given = [name for name in ("ranges", "every", "max_bytes") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"{given[0]}: cannot be combined with {given[1]}.")
        if given and self.mode not in (None, MODES[given[0]]):
            raise ValueError(f"{given[0]}: cannot be combined with mode {self.mode}.")
        for name, mode in MODES.items():
            if self.mode == mode and not given and name != "every":
                raise ValueError(f"{name}: is required with mode {mode}.")
        return self

    @property
    def chosen_mode(self) -> Mode:
        """The mode, given or that of the field that is set."""
        if self.mode is not None:
            return self.mode
        return next((mode for field, mode in MODES.items() if getattr(self, field) is not None), "every")

    @cached_property
    def stem(self) -> str:
        """The name of the file for `{name}`; `document` if it is unknown."""
        stem = file_of(self.file).stem
        return safe_name(stem)[:MAX_NAME_LENGTH] if stem.strip(" .") else "document"

    def name_of(self, **values: str | int) -> str:
        """Return a file name that is valid on all operating systems, from the values of the placeholders."""

        def value(match: re.Match[str]) -> str:
            name, _, width = match[1].partition(":")
            return str(values[name]).zfill(int(width or 0))

        text = _PLACEHOLDER.sub(value, self.filename)
        return f"{safe_name(safe_name(text)[:MAX_NAME_LENGTH])}.pdf"


@dataclass(frozen=True)
class SplitPart:
    """One of the PDFs."""

    content: bytes = field(repr=False)
    name: str
    """File name."""
    pages: str
    """Its pages in the file, such as `4-6`."""
    page_count: int
    title: str


@dataclass(frozen=True)
class Split:
    """What a worker returns."""

    parts: list[SplitPart]
    warnings: list[str]


META: Mapping[str, meta_schemas.Schema] = {
    "parts": {
        "type": "array",
        "description": "The parts in their order, with their pages in the file.",
        "items": {
            "type": "object",
            "required": ["name", "pages", "page_count", "size_bytes", "title"],
            "properties": {
                "name": {"type": "string"},
                "pages": {"type": "string"},
                "page_count": {"type": "integer"},
                "size_bytes": {"type": "integer"},
                "title": {"type": "string"},
            },
        },
        "examples": [
            [{"name": "report-1.pdf", "pages": "1-3", "page_count": 3, "size_bytes": 20480, "title": "Introduction"}]
        ],
    },
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfSplitRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces=("application/zip",),
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": '`mode="blank"`'},
    examples=[
        Example("Every page", {"file": REPORT}),
        Example("A part for each bookmark", {"file": REPORT, "mode": "bookmarks", "filename": "{n:02} {title}"}),
        Example("Two parts", {"file": REPORT, "ranges": ["1", "2-"]}),
    ],
)
async def pdf_split(request: PdfSplitRequest) -> ZipResult[PdfResult]:
    """Split a PDF into several: by number of pages, page ranges, file size, bookmarks or blank pages.

    Everything that belongs to the pages of a part is kept: bookmarks, links, named destinations, page labels, form
    fields, annotations, layers and tags. Attachments stay with the first part. Nothing of other pages stays in a part.
    Links to pages of other parts are removed, and so are digital signatures, because a change breaks them.
    `meta.warnings` names everything that could not be kept. Equal input gives equal bytes.

    Raises:
        InvalidInput: The file is not a PDF, is encrypted or damaged, has no such pages or no bookmarks, or makes more
            than 200 parts.
        NotConvertible: The work took longer than 30 seconds.
    """
    made = await run_guarded("mediakit.tools.pdf.pdf_split.splitting:split", request, returns=Split, guard=PDF)
    parts = [
        {
            "name": part.name,
            "pages": part.pages,
            "page_count": part.page_count,
            "size_bytes": len(part.content),
            "title": part.title,
        }
        for part in made.parts
    ]
    results = [
        PdfResult(part.content, "application/pdf", {"pages": part.page_count, "warnings": []}, filename=part.name)
        for part in made.parts
    ]
    return ZipResult(results, f"{request.stem}.zip", {"parts": parts, "warnings": made.warnings})
