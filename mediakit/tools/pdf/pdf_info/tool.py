"""The tool `pdf_info` and its request."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import date, datetime
from typing import Annotated, Any, Literal, NotRequired, Self, get_args

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator, with_config
from typing_extensions import TypedDict

from mediakit.core import meta_schemas
from mediakit.core.fields import Password
from mediakit.core.inputs import MAX_TOTAL_FILE_BYTES, MEGABYTE, Files, PdfFile, file_of, files_of
from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import REPORT
from mediakit.tools.pdf.pdf_info.result import PdfInfo

LabelStyle = Literal["1", "i", "I", "a", "A", "none"]

Removable = Literal["metadata", "javascript", "attachments", "annotations", "links", "thumbnails", "actions", "layers"]
REMOVABLE: tuple[Removable, ...] = get_args(Removable)


MAX_ENTRIES = 5000
"""Bookmarks, or ranges of labels."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)


def _check_language(text: str) -> str:
    if not _LANGUAGE.fullmatch(text):
        raise ValueError(f'must be a language tag such as "en" or "pt-BR", got {quote(text)}.')
    return text


def _as_text(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | datetime) else value


def _check_date(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f'must be a date such as "2026-11-22" or "2026-11-22T09:30:00+01:00", got {quote(text)}.'
        ) from None
    return text


def _check_line(text: str) -> str:
    if any(ord(character) < 32 for character in text):
        raise ValueError("must be one line of text without control characters.")
    return text


Text = Annotated[str, Field(max_length=10_000)]
Language = Annotated[str, Field(max_length=100), AfterValidator(_check_language)]
IsoDate = Annotated[str, BeforeValidator(_as_text), Field(max_length=40), AfterValidator(_check_date)]

STRICT = ConfigDict(extra="forbid")


@with_config(STRICT)
class Metadata(TypedDict, total=False):
    """Properties of a document; null removes one."""

    title: Text | None
    author: Text | None
    subject: Text | None
    keywords: Text | None
    creator: Text | None
    producer: Text | None
    language: Language | None
    created: IsoDate | None
    modified: IsoDate | None


@with_config(STRICT)
class OutlineEntry(TypedDict):
    """A bookmark."""

    level: Annotated[int, Field(ge=1, le=6)]
    title: Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_check_line)]
    page: Annotated[int, Field(ge=1)]


Labels = TypedDict(
    "Labels",
    {
        "from": Annotated[int, Field(ge=1)],
        "style": NotRequired[LabelStyle],
        "prefix": NotRequired[Annotated[str, Field(max_length=100), AfterValidator(_check_line)]],
        "start": NotRequired[Annotated[int, Field(ge=1, le=1_000_000)]],
    },
)
Labels.__pydantic_config__ = STRICT  # type: ignore[attr-defined]  # `with_config` does not accept this form
"""A range of page labels."""


@request
class PdfInfoRequest:
    """A PDF, and what to change in it."""

    file: PdfFile
    """The PDF."""
    _: KW_ONLY
    metadata: (
        Annotated[
            Metadata,
            Field(examples=[{"title": "Annual report", "author": "Ada Lovelace"}]),
            Synonyms("meta, properties"),
        ]
        | None
    ) = None
    """Properties to write: `title`, `author`, `subject`, `keywords`, `creator`, `producer`, `language`, `created` and
    `modified` (ISO 8601). Null removes one. Both the Info dictionary and XMP are written."""
    outline: (
        Annotated[
            list[OutlineEntry],
            Field(max_length=MAX_ENTRIES, examples=[[{"level": 1, "title": "Introduction", "page": 1}]]),
        ]
        | None
    ) = None
    """Bookmarks that replace the outline, each with `level` (1-6), `title` and `page`. Levels rise by one at most. An
    empty list removes the outline."""
    attach: Annotated[Files | None, Synonyms("attachments, files, embed")] = None
    """Files to attach, each with a name. One of the same name is replaced."""
    detach: Annotated[list[Annotated[str, Field(min_length=1)]], Field(max_length=1000)] | None = None
    """Names of attachments to remove; `*` removes all."""
    labels: (
        Annotated[
            list[Labels],
            Field(max_length=MAX_ENTRIES, examples=[[{"from": 1, "style": "i"}, {"from": 5, "style": "1"}]]),
        ]
        | None
    ) = None
    """Ranges that replace the page labels, each with `from` (the first page), `style` (`1`, `i`, `I`, `a`, `A` or
    `none`; default `1`), `prefix` and `start` (default 1). An empty list removes the labels."""
    remove: list[Removable] | None = None
    """Kinds of content to take out: `metadata`, `javascript`, `attachments`, `annotations` (comments and markup),
    `links`, `thumbnails`, `actions` (all but links to pages and web addresses) and `layers` (hidden ones with their
    content)."""
    password: Password | None = None
    """Password of an encrypted PDF."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_levels(self.outline or ())
        _check_ranges(self.labels or ())
        self._check_attached()
        return self

    def _check_attached(self) -> None:
        names: dict[str, int] = {}
        attached = files_of(self.attach) if self.attach is not None else []
        for index, file in enumerate(attached):
            if not file.name:
                raise ValueError(f"attach[{index}]: needs a name.")
            if file.name in names:
                raise ValueError(
                    f"attach[{index}]: the name {quote(file.name)} is taken by attach[{names[file.name]}]."
                )
            names[file.name] = index
        if len(file_of(self.file)) + sum(map(len, attached)) > MAX_TOTAL_FILE_BYTES:
            raise ValueError(f"attach: all files together must have at most {MAX_TOTAL_FILE_BYTES // MEGABYTE} MB.")

    @property
    def changes(self) -> bool:
        """Whether something is written."""
        written = (self.metadata, self.outline, self.labels)
        return any(each is not None for each in written) or bool(self.attach or self.detach or self.remove)


def _check_levels(outline: Sequence[OutlineEntry]) -> None:
    before = 0
    for index, entry in enumerate(outline):
        if entry["level"] > before + 1:
            after = f"cannot follow level {before}" if before else "cannot come first"
            raise ValueError(f"outline[{index}]: level {entry['level']} {after}.")
        before = entry["level"]


def _check_ranges(labels: Sequence[Any]) -> None:
    first: dict[int, int] = {}
    for index, entry in enumerate(labels):
        if (page := entry["from"]) in first:
            raise ValueError(f"labels[{index}]: page {page} begins the range of labels[{first[page]}] as well.")
        first[page] = index


@dataclass(frozen=True)
class Described:
    """What a worker returns."""

    fields: dict[str, Any]
    content: bytes | None = field(repr=False)
    """The changed PDF; None if nothing was changed."""
    warnings: list[str]


META: Mapping[str, meta_schemas.Schema] = {
    "size_bytes": meta_schemas.integer("Size of the PDF: the changed one, where something was written.", 20335),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfInfoRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces={"json": "application/json", "pdf": "application/pdf"},
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": ""},
    examples=[
        Example("What a PDF contains", {"file": REPORT}),
        Example(
            "A title and an author",
            {"file": REPORT, "metadata": {"title": "The year in the garden", "author": "Ada Lovelace"}},
        ),
        Example(
            "Nothing hidden, before a file is sent",
            {"file": REPORT, "remove": ["metadata", "javascript", "attachments", "annotations"]},
        ),
    ],
)
async def pdf_info(request: PdfInfoRequest) -> PdfInfo:
    """Describe a PDF, or write its metadata, outline, attachments and page labels.

    Without changes, the file is only read: properties, page sizes, outline, attachments, fonts, form, signatures,
    scripts, layers and claimed standards. With changes, the fields describe the changed PDF, which is in `pdf`.
    `remove` takes everything of a kind out, before anything is written. Signatures are listed, but never verified:
    trust is not judged. Nothing in the file is run or followed.

    Raises:
        InvalidInput: The file is not a PDF, needs a password or is damaged beyond repair, or a change does not fit it.
        NotConvertible: It took longer than 30 seconds.
    """
    work = "mediakit.tools.pdf.pdf_info.description:describe"
    described = await run_guarded(work, request, returns=Described, guard=PDF)
    size = len(file_of(request.file) if described.content is None else described.content)
    meta = {"size_bytes": size, "warnings": described.warnings}
    pages = {**meta, "pages": described.fields["pages"]}
    pdf = None if described.content is None else PdfResult(described.content, meta=pages)
    return PdfInfo(**described.fields, pdf=pdf, meta=meta)
