"""Writes inline elements of HTML as the content of a paragraph: pieces of text with formats, which become runs."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal
from urllib.parse import quote, urlsplit, urlunsplit

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.elements import EMU_PER_TWIP, Element, make, text_element, w
from mediakit.engines.docx_writer.images import ImageError, fit
from mediakit.engines.docx_writer.math import write_math
from mediakit.engines.docx_writer.state import Story
from mediakit.engines.markdown.html.elements import word_set

_SPACE = re.compile("[ \t\n\r\f]+")
_PIECES = re.compile("[\n\t]|[^\n\t]+")
_NAMES = {"\n": "br", "\t": "tab"}

_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_LTR_WORD = r"A-Za-z0-9\u00c0-\u058f\u0900-\u1fff\u3040-\uabff\uac00-\ud7af"
_RTL_STRETCH = re.compile(f"([{_RTL}](?:[^{_LTR_WORD}\n\t]*[{_RTL}])*)")
"""Text from the first to the last right-to-left letter, with the spaces and punctuation between them."""


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a hyperlink: an address, or a bookmark of the document."""

    address: str = ""
    bookmark: str = ""
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a run."""

    style: str | None = None
    """ID of a character style."""
    bold: bool = False
    italic: bool = False
    strike: bool = False
    underline: bool = False
    highlight: bool = False
    position: Literal["superscript", "subscript"] | None = None
    color: str | None = None
    link: Link | None = None


PLAIN = Format()


@dataclass(slots=True)
class Span:
    """A piece of text, or an element such as an image, which has no text."""

    format: Format
    text: str = ""
    element: Element | None = None


class InlineContent:
    """Collects the inline content of one paragraph, with white space collapsed as HTML does it."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self._ends_in_space = True

    def add_text(self, text: str, text_format: Format) -> None:
        """Add text. White space collapses, also across elements, and is removed at the beginning of a line."""
        collapsed = _SPACE.sub(" ", text)
        if self._ends_in_space:
            collapsed = collapsed.removeprefix(" ")
        if not collapsed:
            return
        self._ends_in_space = collapsed.endswith(" ")
        self.add_verbatim(collapsed, text_format)

    def add_verbatim(self, text: str, text_format: Format) -> None:
        """Add text whose white space counts."""
        last = self.spans[-1] if self.spans else None
        if last and last.element is None and last.format == text_format:
            last.text += text
        else:
            self.spans.append(Span(text_format, text))

    def add_break(self) -> None:
        """Add a line break."""
        self._trim_end()
        self.add_verbatim("\n", PLAIN)
        self._ends_in_space = True

    def add_element(self, element: Element, text_format: Format = PLAIN) -> None:
        """Add an element of a paragraph."""
        self.spans.append(Span(text_format, element=element))
        self._ends_in_space = False

    def finish(self) -> list[tuple[Link | None, list[Element]]]:
        """Return runs and other elements, grouped by their link. White space and line breaks at the end are removed."""
        self._trim_end()
        while self.spans and self.spans[-1].text == "\n":
            self.spans.pop()
            self._trim_end()
        groups: list[tuple[Link | None, list[Element]]] = []
        for link, spans in groupby(self.spans, key=lambda span: span.format.link):
            groups.append((link, []))
            for span in spans:
                pieces = enumerate(_RTL_STRETCH.split(span.text))  # where the direction of writing changes
                runs = (text_run(text, span.format, rtl=index % 2 == 1) for index, text in pieces if text)
                groups[-1][1].extend(runs if span.element is None else [span.element])
        return groups

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not any(span.element is not None or span.text.strip() for span in self.spans)

    def _trim_end(self) -> None:
        if self.spans and self.spans[-1].element is None:
            self.spans[-1].text = self.spans[-1].text.rstrip(" ")
            if not self.spans[-1].text:
                self.spans.pop()


def text_run(text: str, text_format: Format = PLAIN, *, rtl: bool = False) -> Element:
    """Return a run of text. Newlines become line breaks."""
    content = [
        text_element("w:t", piece) if piece not in "\n\t" else w(_NAMES[piece]) for piece in _PIECES.findall(text)
    ]
    return _run(text_format, *content, rtl=rtl)


def _run(text_format: Format, *content: Element, rtl: bool = False) -> Element:
    """Return a run. Its properties have the order of the schema."""
    link, style = text_format.link, text_format.style
    values = {
        "rStyle": style or ("Hyperlink" if link else None),
        "b": text_format.bold,
        "bCs": text_format.bold,
        "i": text_format.italic,
        "iCs": text_format.italic,
        "strike": text_format.strike,
        "color": text_format.color,
        "highlight": "yellow" if text_format.highlight else None,
        "u": "single" if text_format.underline or (link and style) else None,
        "vertAlign": text_format.position,
        "rtl": rtl,
    }
    found = [w(name) if value is True else w(name, val=value) for name, value in values.items() if value]
    return w("r", w("rPr", *found), *content) if found else w("r", *content)


def field_runs(instruction: str, shown: str, text_format: Format = PLAIN) -> list[Element]:
    """Return a field with the result that is shown until Word updates it."""
    return [
        _run(text_format, w("fldChar", fldCharType="begin")),
        _run(text_format, text_element("w:instrText", f" {instruction} ")),
        _run(text_format, w("fldChar", fldCharType="separate")),
        text_run(shown, text_format),
        _run(text_format, w("fldChar", fldCharType="end")),
    ]


MAX_ADDRESS_CHARACTERS = 2000
"""Word reports a document as damaged if an address is longer than 2,083 characters."""

_MAX_TOOLTIP = 250
_MAX_SIZE_PIXELS = 20_000

_SCHEMES = frozenset({"", "http", "https", "mailto", "tel", "ftp", "ftps", "sms", "xmpp", "geo"})
_KEPT = "!#$%&'()*+,/:;=?@[]~-._"
_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
_HOST = re.compile(r"[A-Za-z0-9._~%!$&'()*+,;=@:\[\]-]*")

_FORMATS: Mapping[str, Mapping[str, Any]] = {
    "b strong summary": {"bold": True},
    "i em cite dfn var address caption figcaption": {"italic": True},
    "s strike del": {"strike": True},
    "u ins": {"underline": True},
    "code samp tt": {"style": "VerbatimChar"},
    "kbd": {"style": "HTMLKeyboard"},
    "mark": {"highlight": True},
    "sup": {"position": "superscript"},
    "sub": {"position": "subscript"},
}
_CHANGES = {name: change for names, change in _FORMATS.items() for name in names.split()}

_QUOTATION_MARKS = {"q": ("“", "”"), "rt": ("(", ")")}
"""Text around the content of an element."""

_BREAKING = word_set(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table "
    "tbody td tfoot th thead tr ul"
)
"""Elements that begin a new paragraph."""


def format_of(element: HtmlElement, outer: Format) -> Format:
    """Return the format of an element's text, inside text of another format."""
    change = _CHANGES.get(str(element.tag))
    return replace(outer, **change) if change else outer


def is_block(element: HtmlElement) -> bool:
    """Return whether an element begins a new paragraph, or contains an element that does."""
    if element.tag in _BREAKING:
        return True
    return element.tag != "math" and any(descendant.tag in _BREAKING for descendant in element.iterdescendants())


class InlineWriter:
    """Writes the inline content of one paragraph."""

    def __init__(self, story: Story, width: int) -> None:
        self.story = story
        self.width = width
        """Width of the paragraph, in twips. Images are not wider."""
        self.content = InlineContent()

    def write_children(self, element: HtmlElement, outer: Format) -> None:
        """Write the text and the child elements of an element."""
        self.content.add_text(element.text or "", outer)
        for child in element:
            self.write(child, outer)
            self.content.add_text(child.tail or "", outer)

    def write(self, element: HtmlElement, outer: Format) -> None:
        """Write one element, without the text that follows it."""
        # Bookmarks have no width: white space around them collapses as if they were absent.
        self.content.spans += [Span(PLAIN, element=mark) for mark in self.story.bookmarks_of(element)]
        if special := _SPECIAL.get(str(element.tag)):
            special(self, element, outer)
            return
        before, after = _QUOTATION_MARKS.get(str(element.tag), ("", ""))
        inner = format_of(element, outer)
        self.content.add_text(before, inner)
        self.write_children(element, inner)
        self.content.add_text(after, inner)

    def finish(self) -> list[Element]:
        """Return the content as children of a paragraph."""
        found: list[Element] = []
        for link, runs in self.content.finish():
            if link is None:
                found += runs
                continue
            attributes = {"w:history": "1"}
            if link.bookmark:
                attributes["w:anchor"] = link.bookmark
            else:
                attributes["r:id"] = self.story.link_to(link.address)
            if link.tooltip:
                attributes["w:tooltip"] = link.tooltip
            found.append(make("w:hyperlink", attributes, *runs))
        return found


def _write_link(writer: InlineWriter, element: HtmlElement, outer: Format) -> None:
    href = (element.get("href") or "").strip()
    state, link = writer.story.state, Link(tooltip=" ".join((element.get("title") or "").split())[:_MAX_TOOLTIP])
    if href.startswith("#") and state.notes.has(href[1:]):
        for each in _footnote_mark(href[1:], writer.story):
            writer.content.add_element(each)
        return
    if href.startswith("#"):
        if href[1:] in state.anchors:
            outer = replace(outer, link=replace(link, bookmark=state.bookmarks.name_of(href[1:])))
    elif address := clean_address(href):
        outer = replace(outer, link=replace(link, address=address))
    elif href:
        state.warn("links", "has an address that Word cannot open; its text is kept")
    writer.write_children(element, outer)


def clean_address(address: str) -> str | None:
    """Return an address as an ASCII URI, or None if Word could not open a document that has it."""
    stripped = re.sub(r"[\x00-\x20\x7f]+", lambda found: "%20" if " " in found[0] else "", address.strip())
    try:
        parts = urlsplit(stripped)
        host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode("ascii")
        if parts.scheme.lower() not in _SCHEMES or not _HOST.fullmatch(host) or (host and parts.port == 0):
            return None
    except ValueError:  # also of IDNA
        return None
    if parts.scheme.lower() in ("http", "https", "ftp", "ftps") and not host:
        return None
    rest = (quote(_BROKEN_ESCAPE.sub("%25", part), safe=_KEPT) for part in parts[2:])
    path, query, fragment = (part.replace("[", "%5B").replace("]", "%5D") for part in rest)
    cleaned = urlunsplit((parts.scheme, host, path, query, fragment.replace("#", "%23")))
    return cleaned if 0 < len(cleaned) <= MAX_ADDRESS_CHARACTERS else None


def _footnote_mark(anchor: str, story: Story) -> list[Element]:
    """Return the mark of a footnote. A footnote has one mark; more marks refer to it by a field."""
    number, is_first = story.state.notes.number_of(anchor)
    name = f"_Footnote{number}"
    if not story.is_body:
        return [text_run(str(number), Format(position="superscript"))]
    if not is_first:
        return field_runs(f"NOTEREF {name} \\h", str(number), Format(style="FootnoteReference"))
    start, end = story.state.bookmarks.mark(name)
    return [start, w("r", w("rPr", w("rStyle", val="FootnoteReference")), w("footnoteReference", id=number)), end]


def _write_superscript(writer: InlineWriter, element: HtmlElement, outer: Format) -> None:
    """Write `sup`. The mark of a footnote is superscript by its own style."""
    links = element.findall(".//a")
    notes = writer.story.state.notes
    if links and all(notes.has((link.get("href") or "").removeprefix("#")) for link in links):
        for link in links:
            _write_link(writer, link, outer)
        return
    writer.write_children(element, format_of(element, outer))


def _write_image(writer: InlineWriter, element: HtmlElement, outer: Format) -> None:
    alt = " ".join((element.get("alt") or "").split())
    source = (element.get("src") or "").strip()
    state = writer.story.state
    try:
        image = state.images.load(source)
    except ImageError as error:
        is_embedded = source.partition(":")[0].lower() == "data"
        shown = "an embedded image" if is_embedded else source[:100] or "an image without an address"
        state.warn("images", f"{shown}: {error}")
        writer.content.add_text(f"[{alt}]" if alt else "", replace(outer, italic=True))
        return
    room = (writer.width * EMU_PER_TWIP, state.content_size[1] * EMU_PER_TWIP * 9 // 10)
    size = fit(image, (_pixels(element, "width"), _pixels(element, "height")), room)
    tooltip = " ".join((element.get("title") or "").split())
    writer.content.add_element(state.images.draw(writer.story.show(image), size, alt, tooltip), outer)


def _pixels(element: HtmlElement, name: str) -> int | None:
    value = (element.get(name) or "").strip().removesuffix("px")
    return min(int(value), _MAX_SIZE_PIXELS) if value.isascii() and value.isdigit() and int(value) else None


def _write_check_box(writer: InlineWriter, element: HtmlElement, _outer: Format) -> None:
    """Write a check box that can be clicked in Word 2010 and later."""
    if (element.get("type") or "").lower() != "checkbox":
        return
    is_checked = element.get("checked") is not None
    states = [
        make(f"w14:{name}", {"w14:val": value, "w14:font": "MS Gothic"})
        for name, value in (("checkedState", "2612"), ("uncheckedState", "2610"))
    ]
    box = make("w14:checkbox", None, make("w14:checked", {"w14:val": int(is_checked)}), *states)
    font = w("rFonts", ascii="MS Gothic", hAnsi="MS Gothic", eastAsia="MS Gothic", hint="eastAsia")
    run = w("r", w("rPr", font), text_element("w:t", "☒" if is_checked else "☐"))
    properties = w("sdtPr", w("id", val=writer.story.state.next_id()), box)
    writer.content.add_element(w("sdt", properties, w("sdtContent", run)))


def _write_formula(writer: InlineWriter, element: HtmlElement, outer: Format) -> None:
    formula = write_math(element)
    if formula is None:
        writer.write_children(element, outer)
        return
    is_display = element.get("display") == "block"
    writer.content.add_element(make("m:oMathPara", None, formula) if is_display else formula)


_SPECIAL: Mapping[str, Callable[[InlineWriter, HtmlElement, Format], None]] = {
    "a": _write_link,
    "br": lambda writer, _element, _outer: writer.content.add_break(),
    "img": _write_image,
    "input": _write_check_box,
    "math": _write_formula,
    "sup": _write_superscript,
    "wbr": lambda writer, _element, outer: writer.content.add_verbatim("\u200b", outer),
    **dict.fromkeys(("head", "script", "style", "svg"), lambda _writer, _element, _outer: None),
}
