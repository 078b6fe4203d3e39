"""The kinds of documents, what their readers return, and the options of the readers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, get_args

from mediakit.engines.markdown.blocks import Block

if TYPE_CHECKING:
    from lxml.html import HtmlElement

Kind = Literal[
    "docx",
    "pptx",
    "xlsx",
    "xlsm",
    "xlsb",
    "xls",
    "ods",
    "odt",
    "odp",
    "epub",
    "rtf",
    "html",
    "csv",
    "tsv",
    "ipynb",
    "pdf",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

PARTS: Mapping[Kind, str] = {
    **dict.fromkeys(("pptx", "odp"), "slides"),
    **dict.fromkeys(("xlsx", "xlsm", "xlsb", "xls", "ods"), "sheets"),
    "epub": "chapters",
}
"""Field of the response with the names of a document's parts, for the kinds that have it."""

Format = Literal["markdown", "text"]
Images = Literal["none", "alt", "embed"]


@dataclass
class DocumentImage:
    """An image of a document. Its name is the address of an `img` element in the body."""

    name: str
    """Name such as `image-1.png`, unique in the document."""
    mime_type: str
    alt: str = ""
    width: int | None = None
    """Pixels; None if unknown."""
    height: int | None = None
    content: bytes = field(default=b"", repr=False)


@dataclass
class Document:
    """The content of a document: an HTML tree, or blocks that are already written.

    The tree is what `engines.markdown.html` reads: headings, paragraphs, lists with `start`, tables with `rowspan` and
    `colspan`, block quotes, code, links, `img` elements whose `src` is the name of an image, footnotes as a list
    `ol class="footnotes"` of items with an `id` such as `fn1` that `sup` elements link to, and formulas as `math`
    elements with an annotation of type `application/x-tex`.
    """

    body: "HtmlElement | None" = None
    blocks: Sequence[Block] = ()
    """Written blocks, in place of `body`."""
    title: str | None = None
    author: str | None = None
    created: str | None = None
    """ISO 8601."""
    modified: str | None = None
    """ISO 8601."""
    images: list[DocumentImage] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    """Names of the slides, sheets or chapters that were read."""
    warnings: list[str] = field(default_factory=list)
    truncated: bool = False
    """Whether the reader itself left content out because of `max_chars`."""


class Omitted(StrEnum):
    """What readers omit, as sentences with a place for how often they do."""

    LINKED_IMAGES = "Linked images that were not loaded: {}."
    MISSING_IMAGES = "Images that are missing in the file: {}."
    SHEET_IMAGES = "Images on sheets that were omitted: {}."
    MEDIA = "Audio and video that were omitted: {}."
    EMBEDDED_FILES = "Embedded files that were omitted: {}."
    EMPTY_GRAPHICS = "Charts and diagrams without data: {}."
    SHEET_CHARTS = "Charts on sheets that were omitted: {}."
    SLIDE_CHARTS = "Charts that were omitted, such as tree maps and waterfalls: {}."
    LINKED_DOCUMENTS = "Linked documents that were not loaded: {}."
    UNREAD_DOCUMENTS = "Inserted documents that could not be read: {}."


class WarningCounter:
    """Counts what a reader omits."""

    def __init__(self) -> None:
        self._counts = Counter[Omitted]()

    def warn(self, omitted: Omitted) -> None:
        """Count one that was omitted."""
        self._counts[omitted] += 1

    @property
    def sentences(self) -> list[str]:
        """A sentence for each kind, in the order of their first use."""
        return [omitted.format(count) for omitted, count in self._counts.items()]
