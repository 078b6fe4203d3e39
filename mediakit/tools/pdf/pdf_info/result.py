"""`PdfInfo`: what is known of a PDF, and its table of facts in a notebook, where all is shown as text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core.messages import quote, readable_size
from mediakit.core.tool import Wire
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

MAX_CHARACTERS = 200
"""Characters of a text that are shown."""

_BOX = "max-width:56em;font:13px/1.5 system-ui,sans-serif;color:inherit"
_TABLE = "border-collapse:collapse;margin:0;font-size:13px"
_HEAD = (
    "padding:5px 18px 5px 0;border:0;border-top:1px solid rgba(128,128,128,.3);text-align:left;vertical-align:top;"
    "font-weight:400;opacity:.7;white-space:nowrap"
)
_CELL = "padding:5px 0;border:0;border-top:1px solid rgba(128,128,128,.3);text-align:left;vertical-align:top"
_SOFT = "opacity:.75"

PROPERTIES = ("title", "author", "subject", "keywords", "creator", "producer", "created", "modified", "language")


def facts_table(result: PdfInfo) -> Bundle:
    """Return a table of what a PDF has; what it does not have is omitted.

    The two classes keep notebooks from typesetting dollar signs as TeX.
    """
    changed = "" if result.pdf is None else result.pdf._caption()
    rows = "".join(
        f'<tr style="background:none"><th scope="row" style="{_HEAD}">{escape(name)}</th>'
        f'<td dir="auto" style="{_CELL}">{value}</td></tr>'
        for name, value in _rows(result.to_dict(), result.meta, changed)
        if value
    )
    table = f'<table style="{_TABLE}"><tbody>{rows}</tbody></table>'
    return {"text/html": f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{table}</div>'}, {}


def _rows(info: Mapping[str, Any], meta: Mapping[str, Any], changed: str) -> Iterator[tuple[str, str]]:
    for name in PROPERTIES:
        yield name.capitalize(), _text(info[name])
    yield "Pages", _list(_sizes(info))
    yield "Page labels", _text(_span(info["page_labels"]))
    yield "Outline", _lines(_entry(item) for item in info["outline"])
    yield "Form", _form(info["form"])
    yield "Attachments", _lines(map(_attachment, info["attachments"]))
    yield "Fonts", _lines(map(_font, info["fonts"]))
    yield "Contents", _list(_counts(info))
    yield "Layers", _list(layer["name"] + ("" if layer["visible"] else " (hidden)") for layer in info["layers"])
    yield "Without text", _text(", ".join(map(str, info["pages_without_text"])))
    yield "Signatures", _lines(map(_signature, info["signatures"]))
    yield "JavaScript", _lines(f"{_text(script['where'])} {_soft(script['code'])}" for script in info["javascript"])
    yield "Protection", _protection(info)
    yield "File", _list(_file(info, meta))
    yield "Warnings", _lines(_text(warning) for warning in meta.get("warnings", ()))
    yield "Result", _soft(f".pdf is the changed PDF: {changed}") if changed else ""


def _sizes(info: Mapping[str, Any]) -> Iterator[str]:
    for size in info["page_sizes"]:
        paper = f"{size['width']:g} × {size['height']:g} mm"
        turned = f", rotated by {size['rotate']}°" if size["rotate"] else ""
        yield (
            f"{size['count']:,} × {size['name']} ({paper}{turned})"
            if size["name"]
            else f"{size['count']:,} × {paper}{turned}"
        )


def _span(labels: Sequence[str] | None) -> str:
    if not labels:
        return ""
    return ", ".join(labels) if len(labels) <= MAX_ITEMS else f"{', '.join(labels[: MAX_ITEMS - 1])}, …, {labels[-1]}"


def _entry(item: dict[str, Any]) -> str:
    indent = f'<span style="padding-left:{1.4 * (item["level"] - 1):g}em"></span>'
    return f"{indent}{_text(item['title'])} {_soft(item['page'] or '')}"


def _form(form: dict[str, Any]) -> str:
    parts = [_counted(form["fields"], "field")] if form["fields"] else []
    parts += [f"{form['xfa']} XFA"] if form["xfa"] != "none" else []
    return _text(", ".join(parts))


def _attachment(item: dict[str, Any]) -> str:
    size = readable_size(item["size"]) if item["size"] is not None else ""
    return f"{_text(item['name'])} {_soft(' · '.join(filter(None, (size, item['description']))))}"


def _font(font: dict[str, Any]) -> str:
    state = ("subset" if font["subset"] else "embedded") if font["embedded"] else "not embedded"
    return f"{_text(font['name'])} {_soft(font['type'] + ', ' + state)}"


def _counts(info: Mapping[str, Any]) -> Iterator[str]:
    for noun in ("image", "link", "annotation"):
        if count := info[f"{noun}s"]:
            yield _counted(count, noun)


def _signature(item: dict[str, Any]) -> str:
    scope = "covers the whole file" if item["covers_whole_file"] else "does not cover the whole file"
    facts = " · ".join(filter(None, (item["signed_at"], scope, "not verified")))
    return f"{_text(item['signer'] or item['name'])} {_soft(facts)}"


def _protection(info: Mapping[str, Any]) -> str:
    if not info["encrypted"]:
        return ""
    return _text("encrypted" + (f"; restricted: {', '.join(info['restrictions'])}" if info["restrictions"] else ""))


def _file(info: Mapping[str, Any], meta: Mapping[str, Any]) -> Iterator[str]:
    yield f"PDF {info['version']}"
    yield from info["conformance"]
    yield from (name for name in ("tagged", "linearized") if info[name])
    if size := meta.get("size_bytes"):
        yield readable_size(size)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _list(items: Iterable[str]) -> str:
    return _text(" · ".join(items), limit=1000)


def _lines(items: Iterable[str]) -> str:
    """Return items, which are HTML, on a line each."""
    lines = list(items)
    more = [f'<span style="{_SOFT}">and {len(lines) - MAX_ITEMS} more</span>'] if len(lines) > MAX_ITEMS else []
    return "<br>".join([*lines[:MAX_ITEMS], *more])


def _soft(text: object) -> str:
    return f'<span style="{_SOFT}">{_text(str(text))}</span>'


def _text(text: str | None, limit: int = MAX_CHARACTERS) -> str:
    line = " ".join((text or "").split())
    return escape(line if len(line) <= limit else f"{line[:limit]}…")
