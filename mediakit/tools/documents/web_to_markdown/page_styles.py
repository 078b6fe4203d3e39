"""Applies the styles that change a page's text: preserved line breaks, and code that cannot be selected.

Only these two properties of style sheets are read. A page that was loaded from the web states them as style attributes.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice

from cssselect import SelectorError
from lxml import etree
from lxml.cssselect import CSSSelector
from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS, class_names, tag_name

MAX_SHEET_CHARACTERS = 500_000
MAX_RULES = 60
"""Rules of one page that are applied."""

MAX_LINE_BREAKS = 20_000
"""Line breaks of one page that are added."""

_PROPERTY = re.compile(
    r"(?:^|;)\s*((?:white-space(?:-collapse)?|(?:-\w+-)?user-select)\s*:\s*[\w\s-]+)(?:!important\s*)?(?=;|$)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WHITE_SPACE = re.compile(r"(?:^|;)\s*white-space(?:-collapse)?\s*:\s*([\w\s-]+)", re.IGNORECASE)
_PRESERVED = re.compile(
    r"(?:pre|pre-wrap|pre-line|break-spaces|preserve(?:-breaks)?)(?:\s+(?:no)?wrap)?", re.IGNORECASE
)
_PRESERVING_NAME = re.compile(
    r"(?:^|\s)(?:white-?space-(?:pre(?:-wrap|-line)?|break-spaces)|pre-wrap|pre-line)(?:$|\s)"
)
"""Class names that utility style sheets, such as Tailwind CSS, give to elements that keep their line breaks."""

_VERBATIM = ("pre", "textarea", "listing", "xmp", "plaintext", "script", "style", "math", "svg", "title")


def apply_style_sheets(root: HtmlElement) -> None:
    """Write the styles of `style` elements that change the text into the style attributes of the matching elements."""
    sheets = [element.text or "" for element in root.iter("style")]
    for selector, properties in islice(chain.from_iterable(map(_rules, sheets)), MAX_RULES):
        try:
            elements = list(CSSSelector(selector, translator="html")(root))
        except (SelectorError, etree.XPathError, ValueError):  # a selector for browsers only
            continue
        for element in elements:
            style = element.get("style") or ""
            if not _PROPERTY.search(style):
                element.set("style", f"{style.rstrip('; ')};{properties}".lstrip(";"))


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selector and the relevant properties of the rules of a style sheet, the last rule first."""
    if len(sheet) > MAX_SHEET_CHARACTERS or ("white-space" not in sheet and "user-select" not in sheet):
        return
    is_for_print = False
    found = []
    for part in _COMMENT.sub("", sheet).split("}"):
        before, brace, body = part.rpartition("{")
        if not brace:
            is_for_print = False
            continue
        outer, _, selector = before.rpartition("{")
        is_for_print = "print" in outer if outer.lstrip().startswith("@media") else is_for_print
        properties = ";".join(match[1].strip() for match in _PROPERTY.finditer(body))
        if properties and not is_for_print and not selector.lstrip().startswith("@"):
            found.append((selector.strip(), properties))
    yield from reversed(found)


_NAME_PARTS = ("space-", "pre-")
"""Parts of the class names of elements that keep line breaks."""


def show_line_breaks(body: HtmlElement, html: str) -> None:
    """Write the line breaks that a browser shows by the style `white-space` as `br` elements.

    The HTML of most pages has none of these names, which saves the walk over the elements.
    """
    has_names = any(name in html for name in ("white-space", *_NAME_PARTS))
    if not has_names or not any(map(_may_preserve_lines, body.iter())):
        return
    remaining = MAX_LINE_BREAKS
    stack = [(body, False)]
    while stack and remaining > 0:
        element, inherited = stack.pop()
        if tag_name(element) in ("", *_VERBATIM):
            continue
        if match := _WHITE_SPACE.search(element.get("style") or ""):
            is_preserved = _PRESERVED.fullmatch(match[1].strip()) is not None
        else:
            is_preserved = inherited or _PRESERVING_NAME.search(class_names(element)) is not None
        children = list(element)
        if is_preserved:
            remaining -= _break_lines(element, children)
        stack += [(child, is_preserved) for child in children]


def _may_preserve_lines(element: HtmlElement) -> bool:
    names = class_names(element)
    return "white-space" in (element.get("style") or "") or any(part in names for part in _NAME_PARTS)


def _break_lines(element: HtmlElement, children: list[HtmlElement]) -> int:
    """Replace the line feeds in an element's own texts with `br` elements. Returns their number."""
    count = 0
    for child in children:
        if "\n" in (child.tail or ""):
            first, *lines = (child.tail or "").split("\n")
            child.tail = None
            for line in reversed(lines):
                child.addnext(_line_break(element, line))
            child.tail = first
            count += len(lines)
    if "\n" in (element.text or ""):
        text = element.text or ""
        if tag_name(element) in BLOCK_ELEMENTS:  # the first line feed of a block is not shown as an empty line
            text = text.removeprefix("\n")
        element.text, *lines = text.split("\n")
        for line in reversed(lines):
            element.insert(0, _line_break(element, line))
        count += len(lines)
    return count


def _line_break(element: HtmlElement, line: str) -> HtmlElement:
    """Return a `br` element with the text of the line after it."""
    line_break: HtmlElement = element.makeelement("br")
    line_break.tail = line
    return line_break
