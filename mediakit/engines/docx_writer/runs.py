"""Inline content of a paragraph: pieces of text with their formats, and the runs that they become."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from mediakit.engines.docx_writer.elements import Element, make, text_element, w

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

    def add_marker(self, element: Element) -> None:
        """Add an element without width, such as a bookmark. White space around it collapses as if it were absent."""
        self.spans.append(Span(PLAIN, element=element))

    def finish(self) -> list[tuple[Link | None, list[Element]]]:
        """Return runs and other elements, grouped by their link. White space and line breaks at the end are removed."""
        self._trim_end()
        while self.spans and self.spans[-1].text == "\n":
            self.spans.pop()
            self._trim_end()
        groups = groupby(self.spans, key=lambda span: span.format.link)
        return [(link, [run for span in spans for run in _runs(span)]) for link, spans in groups]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not any(span.element is not None or span.text.strip() for span in self.spans)

    def _trim_end(self) -> None:
        if self.spans and self.spans[-1].element is None:
            self.spans[-1].text = self.spans[-1].text.rstrip(" ")
            if not self.spans[-1].text:
                self.spans.pop()


def _runs(span: Span) -> Iterator[Element]:
    """Yield the runs of a span, which is split where the direction of writing changes."""
    if span.element is not None:
        yield span.element
        return
    for index, text in enumerate(_RTL_STRETCH.split(span.text)):
        if text:
            yield text_run(text, span.format, rtl=index % 2 == 1)


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


def check_box(identifier: int, *, checked: bool) -> Element:
    """Return a check box that can be clicked in Word 2010 and later."""
    states = [
        make(f"w14:{name}", {"w14:val": value, "w14:font": "MS Gothic"})
        for name, value in (("checkedState", "2612"), ("uncheckedState", "2610"))
    ]
    box = make("w14:checkbox", None, make("w14:checked", {"w14:val": int(checked)}), *states)
    font = w("rFonts", ascii="MS Gothic", hAnsi="MS Gothic", eastAsia="MS Gothic", hint="eastAsia")
    run = w("r", w("rPr", font), text_element("w:t", "☒" if checked else "☐"))
    return w("sdt", w("sdtPr", w("id", val=identifier), box), w("sdtContent", run))
