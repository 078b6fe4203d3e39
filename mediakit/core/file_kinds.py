"""Kinds of files, which of them an input takes, and how a file of another kind becomes one that fits.

A field states what it takes: `FileRule` and `TextRule` have the kinds. Results are judged by their media type.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from mediakit.core.media import OFFICE, OPEN_DOCUMENT, media_type

FileKind = Literal["image", "svg", "pdf", "document", "html", "markdown", "text", "table", "data", "archive", "other"]

TABLE_FILES: tuple[FileKind, ...] = ("table", "data", "markdown", "text")
"""Kinds of files from which tables are read."""

DOCUMENTS: tuple[FileKind, ...] = ("document", "pdf", "html", "table")
"""Kinds of files whose text is read as that of a document."""

NAMES: Mapping[FileKind, str] = {
    "image": "an image",
    "svg": "SVG",
    "pdf": "a PDF",
    "document": "a document",
    "html": "HTML",
    "markdown": "Markdown",
    "text": "text",
    "table": "a table",
}
"""Words for what an input takes."""

_KINDS: Mapping[str, FileKind] = {
    "image/svg+xml": "svg",
    "application/pdf": "pdf",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "application/zip": "archive",
    "application/gzip": "archive",
    "application/epub+zip": "document",
    "application/rtf": "document",
    "application/x-ipynb+json": "document",
    f"{OFFICE}.wordprocessingml.document": "document",
    f"{OFFICE}.presentationml.presentation": "document",
    f"{OPEN_DOCUMENT}.text": "document",
    f"{OPEN_DOCUMENT}.presentation": "document",
}
_TABLES = ("csv", "tab-separated", "yaml", "toml", "sheet", "excel", "parquet")
"""Parts of the media types of tables."""

_LISTED: frozenset[FileKind] = frozenset(("image", "pdf", "document"))
"""Kinds that errors list besides the first one that an input takes."""

_PICK = "Pass one of its files, such as result[0]."

WAYS: Mapping[FileKind, Mapping[FileKind, str]] = {
    "image": {
        "svg": "mediakit.capture renders it.",
        "pdf": "mediakit.pdf_to_images renders its pages.",
        "document": "mediakit.document_to_markdown and mediakit.capture render its text.",
        "html": "mediakit.capture renders it.",
        "markdown": "mediakit.capture renders it.",
        "text": "mediakit.capture renders it.",
        "table": "mediakit.table_image renders it.",
        "archive": _PICK,
    },
    "pdf": {
        "image": "mediakit.pdf_merge makes a PDF of images.",
        "svg": "mediakit.pdf renders it.",
        "document": "mediakit.document_to_markdown and mediakit.pdf render its text.",
        "html": "mediakit.pdf renders it.",
        "markdown": "mediakit.pdf renders it.",
        "text": "mediakit.pdf renders it.",
        "table": 'mediakit.table_image(..., format="pdf") renders it.',
        "archive": _PICK,
    },
    "document": {
        "image": "mediakit.pdf_merge makes a PDF of images.",
        "svg": "mediakit.pdf renders it.",
        "pdf": "mediakit.document_to_markdown reads it.",
        "html": 'mediakit.web_to_markdown and mediakit.markdown_convert(..., to="docx") convert it.',
        "markdown": 'mediakit.markdown_convert(..., to="docx") converts it.',
        "text": 'mediakit.markdown_convert(..., to="docx") converts it.',
        "table": 'mediakit.data_convert(..., to="markdown") returns it as Markdown.',
        "archive": _PICK,
    },
    "html": {
        "image": "Its .data_uri() can be part of HTML; mediakit.pdf_merge makes a PDF of images.",
        "pdf": "mediakit.document_to_markdown returns its text.",
        "document": "mediakit.document_to_markdown returns its text.",
        "markdown": "mediakit.markdown_convert returns it as HTML.",
        "table": 'mediakit.table_image(..., format="html") returns it as HTML.',
        "archive": _PICK,
    },
    "markdown": {
        "image": "Its .data_uri() can be part of Markdown.",
        "svg": "Its .data_uri() can be part of Markdown.",
        "pdf": "mediakit.document_to_markdown returns it as Markdown.",
        "document": "mediakit.document_to_markdown returns it as Markdown.",
        "html": "mediakit.web_to_markdown(html=...) returns it as Markdown.",
        "table": 'mediakit.data_convert(..., to="markdown") returns it as Markdown.',
        "archive": _PICK,
    },
    "text": {
        "image": "Its .data_uri() is text.",
        "pdf": "mediakit.document_to_markdown returns its text.",
        "document": "mediakit.document_to_markdown returns its text.",
        "table": 'mediakit.data_convert(..., to="csv") returns it as text.',
        "archive": _PICK,
    },
    "table": {
        "image": "mediakit.image_info returns data about it.",
        "svg": "mediakit.file_info returns data about it.",
        "pdf": 'mediakit.pdf_extract(..., what="tables") returns its tables.',
        "document": "mediakit.document_to_markdown returns its tables as Markdown.",
        "html": "mediakit.web_to_markdown(html=...).tables has its tables.",
        "archive": _PICK,
    },
}
"""What to do with a file or a result, by what the input takes and by what it is. Data is a table here."""


def kind_of(media: str) -> FileKind:
    """Return the kind of a media type; `other` for an unknown one."""
    name = media.partition(";")[0]
    if kind := _KINDS.get(name):
        return kind
    if "json" in name:
        return "data"
    if any(part in name for part in _TABLES):
        return "table"
    if name.startswith("image/"):
        return "image"
    return "text" if name.startswith("text/") or is_text(name) else "other"


def is_text(media: str) -> bool:
    """Return whether files of a media type are text."""
    known = media_type(media)
    return media.startswith("text/") or media == "image/svg+xml" or bool(known and known.is_text)


def check_kind(media: str, taken: Sequence[FileKind], got: str, *, as_text: bool = False) -> None:
    """Refuse a file of a kind that an input does not take. Unknown kinds are left to the tool.

    Args:
        media: The media type of the file.
        taken: The kinds that the input takes; the first one is its own. None for all.
        got: The name of the file, or the class of the result.
        as_text: Whether the file must be text as well, as not every table is.

    Raises:
        ValueError: The kind does not fit; the message says how to convert the file.
    """
    kind = kind_of(media)
    if not taken or kind == "other" or (kind in taken and (is_text(media) or not as_text)):
        return
    known = media_type(media)
    label = f" ({known.label})" if known else ""
    names = " or ".join(NAMES[each] for each in taken if each == taken[0] or each in _LISTED)
    way = WAYS[taken[0]].get("table" if kind == "data" else kind, "")
    raise ValueError(f"must be {names}, got {got}{label}. {way}".rstrip())
