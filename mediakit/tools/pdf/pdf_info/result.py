"""`PdfInfo`: what is known of a PDF, and its table of facts in a notebook, where all is shown as text."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core.messages import quote, readable_size
from mediakit.core.tool import Wire
from mediakit.display import facts_html
from mediakit.results.data import DataResult
from mediakit.results.files import PdfResult
from mediakit.results.result import Bundle


class PageSize(TypedDict):
    """A size of pages as they are seen."""

    width: int | float
    """Millimeters."""
    height: int | float
    """Millimeters."""
    rotate: int
    count: int
    name: str | None


class Bookmark(TypedDict):
    """An entry of the outline."""

    level: int
    title: str
    page: int | None


class Attachment(TypedDict):
    """An attached file."""

    name: str
    description: str | None
    mime_type: str | None
    size: int | None
    md5: str | None


class Font(TypedDict):
    """A font that pages use."""

    name: str
    type: str
    embedded: bool
    subset: bool


class FormFacts(TypedDict):
    """The form of a PDF."""

    fields: Annotated[int, Field(examples=[0])]
    """Number of form fields."""
    xfa: Literal["none", "static", "dynamic"]


class Signature(TypedDict):
    """A digital signature."""

    name: str
    signer: str | None
    signed_at: str | None
    covers_whole_file: bool


class Script(TypedDict):
    """A script."""

    where: str
    code: str


class Layer(TypedDict):
    """A layer."""

    name: str
    visible: bool


class PdfInfo(DataResult):
    """What is known of a PDF."""

    _wire = Wire(outputs=("json", "binary", "url", "pdf"), is_data=True)
    _view = "mediakit.tools.pdf.pdf_info.result:facts_table"

    version: Annotated[str, Field(examples=["1.7"])]
    """Version of PDF."""
    pages: Annotated[int, Field(examples=[3])]
    """Number of pages."""
    title: Annotated[str | None, Field(examples=["The year in the garden"])]
    """Title."""
    author: Annotated[str | None, Field(examples=["Ada Lovelace"])]
    """Author."""
    subject: Annotated[str | None, Field(examples=["Gardening"])]
    """Subject."""
    keywords: Annotated[str | None, Field(examples=["garden, spring"])]
    """Keywords."""
    creator: Annotated[str | None, Field(examples=["Writer"])]
    """Program that made the document."""
    producer: Annotated[str | None, Field(examples=["LibreOffice"])]
    """Program that made the PDF."""
    created: Annotated[str | None, Field(examples=["2026-11-22T09:30:00+01:00"])]
    """Date of creation in ISO 8601."""
    modified: Annotated[str | None, Field(examples=["2026-11-22T09:30:00+01:00"])]
    """Date of the last change in ISO 8601."""
    language: Annotated[str | None, Field(examples=["en"])]
    """Language tag."""
    encrypted: Annotated[bool, Field(examples=[False])]
    """Whether the file is encrypted."""
    restrictions: Annotated[list[str], Field(examples=[[]])]
    """What readers must not do without the owner password: print, copy, modify, annotate, fill, assemble."""
    page_sizes: Annotated[
        list[PageSize], Field(examples=[[{"width": 148, "height": 210, "rotate": 0, "count": 3, "name": "A5"}]])
    ]
    """Sizes of the pages as they are seen, in millimeters."""
    page_labels: Annotated[list[str] | None, Field(examples=[None])]
    """What viewers show as the number of each page; null without page labels."""
    outline: Annotated[list[Bookmark], Field(examples=[[{"level": 1, "title": "Spring", "page": 1}]])]
    """Bookmarks; the page is null for one that leads elsewhere."""
    attachments: Annotated[list[Attachment], Field(examples=[[]])]
    """Attached files, with their size in bytes; size and MD5 are null for a file that cannot be read."""
    fonts: Annotated[
        list[Font],
        Field(examples=[[{"name": "DejaVuSans", "type": "CIDFontType2", "embedded": True, "subset": True}]]),
    ]
    """Fonts that the pages use."""
    images: Annotated[int, Field(examples=[0])]
    """Number of images, each once."""
    links: Annotated[int, Field(examples=[2])]
    """Number of links."""
    annotations: Annotated[int, Field(examples=[0])]
    """Number of comments and markup."""
    form: FormFacts
    """The form: its number of fields, and the kind of its XFA."""
    signatures: Annotated[list[Signature], Field(examples=[[]])]
    """Digital signatures. Whether they are valid and trusted is not judged."""
    javascript: Annotated[list[Script], Field(examples=[[]])]
    """Scripts. None is run."""
    tagged: Annotated[bool, Field(examples=[True])]
    """Whether the file has tags for screen readers."""
    linearized: Annotated[bool, Field(examples=[False])]
    """Whether the file is linearized for the web."""
    conformance: Annotated[list[str], Field(examples=[["PDF/A-2B"]])]
    """Standards that the file claims to follow."""
    layers: Annotated[list[Layer], Field(examples=[[]])]
    """Layers, and whether they show by default."""
    pages_without_text: Annotated[list[int], Field(examples=[[]])]
    """Numbers of pages that show something but have no text, such as scans."""
    pdf: PdfResult | None = None
    """The changed PDF, where something was written."""

    def _facts(self) -> str:
        return f"{self.pages} {'page' if self.pages == 1 else 'pages'}"

    def __repr__(self) -> str:
        title = quote(self.title) if self.title else "without a title"
        return f"<PdfInfo {title}, {self._facts()}{', changed' if self.pdf else ''}>"


MAX_ITEMS = 12
"""Items of a list that are shown."""

MAX_CHARACTERS = 1000
"""Characters of a value that are shown."""

PROPERTIES = ("title", "author", "subject", "keywords", "creator", "producer", "created", "modified", "language")


def facts_table(result: PdfInfo) -> Bundle:
    """Return a table of what a PDF has; what it does not have is omitted."""
    shown = (
        (name, f"{value[:MAX_CHARACTERS]}…" if len(value) > MAX_CHARACTERS else value) for name, value in _facts(result)
    )
    return {"text/html": facts_html("PDF", result._facts(), shown, result.meta.get("warnings", ()))}, {}


def _facts(info: PdfInfo) -> Iterator[tuple[str, str]]:
    for name in PROPERTIES:
        yield name.capitalize(), getattr(info, name) or ""
    yield "Pages", _list(map(_size, info.page_sizes))
    yield "Page labels", _list(info.page_labels or ())
    yield "Outline", _list(f"{item['title']} {item['page'] or ''}".strip() for item in info.outline)
    form = info.form
    yield "Form", _list([_count(form["fields"], "field"), f"{form['xfa']} XFA" if form["xfa"] != "none" else ""])
    yield "Attachments", _list(map(_attachment, info.attachments))
    yield "Fonts", _list(map(_font, info.fonts))
    counts = (info.images, "image"), (info.links, "link"), (info.annotations, "annotation")
    yield "Contents", _list(_count(*each) for each in counts)
    yield "Layers", _list(layer["name"] + ("" if layer["visible"] else " (hidden)") for layer in info.layers)
    yield "Without text", _list(map(str, info.pages_without_text))
    yield "Signatures", _list(map(_signature, info.signatures))
    yield "JavaScript", _list(f"{script['where']}: {script['code'][:200]}" for script in info.javascript)
    restricted = f"; restricted: {', '.join(info.restrictions)}" if info.restrictions else ""
    yield "Protection", f"encrypted{restricted}" if info.encrypted else ""
    marks = (name for name in ("tagged", "linearized") if getattr(info, name))
    yield (
        "File",
        _list([f"PDF {info.version}", *info.conformance, *marks, readable_size(info.meta.get("size_bytes", 0))]),
    )
    yield "Result", "" if info.pdf is None else f".pdf is the changed PDF: {info.pdf._caption()}"


def _size(size: PageSize) -> str:
    paper = f"{size['width']:g} × {size['height']:g} mm"
    turned = f", rotated by {size['rotate']}°" if size["rotate"] else ""
    named = f"{size['name']} ({paper}{turned})" if size["name"] else f"{paper}{turned}"
    return f"{size['count']:,} × {named}"


def _attachment(item: Attachment) -> str:
    size = readable_size(item["size"]) if item["size"] is not None else ""
    about = ", ".join(filter(None, (size, item["description"])))
    return f"{item['name']} ({about})" if about else item["name"]


def _font(font: Font) -> str:
    state = ("subset" if font["subset"] else "embedded") if font["embedded"] else "not embedded"
    return f"{font['name']} ({font['type']}, {state})"


def _signature(item: Signature) -> str:
    scope = "covers the whole file" if item["covers_whole_file"] else "does not cover the whole file"
    return f"{item['signer'] or item['name']} ({', '.join(filter(None, (item['signed_at'], scope, 'not verified')))})"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}" if count else ""


def _list(items: Iterable[str]) -> str:
    shown = [item for item in items if item]
    more = [f"and {len(shown) - MAX_ITEMS} more"] if len(shown) > MAX_ITEMS else []
    return " · ".join([*shown[:MAX_ITEMS], *more])
