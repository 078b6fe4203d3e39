"""What HTML's elements are to a reader: blocks, marks within a line, or nothing to read."""

import re

from lxml.html import HtmlElement


def named(text: str) -> tuple[str, ...]:
    """Give the words of a text in their order."""
    return tuple(text.split())


def words(text: str) -> frozenset[str]:
    """Give the words of a text as a set."""
    return frozenset(text.split())


SILENT = words(
    "script style noscript template head title meta link base object embed applet param iframe frame frameset "
    "audio video "
    "source track canvas svg map area select option optgroup datalist textarea button input progress meter dialog "
    "noembed noframes rp"
)
"""Elements of which nothing is read."""

BLOCKS = words(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td "
    "tfoot th thead tr caption colgroup ul listing xmp plaintext"
)
"""Elements that begin and end a line of their own."""

HEADINGS = {f"h{level}": level for level in range(1, 7)}
EMPHASIS = {
    "em": "em",
    "i": "em",
    "var": "em",
    "strong": "strong",
    "b": "strong",
    "del": "del",
    "s": "del",
    "strike": "del",
}
"""Element to the kind of emphasis that it is."""

MONOSPACED = words("code kbd samp tt")

_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def is_hidden(element: HtmlElement) -> bool:
    """Tell whether the page itself hides an element from every reader."""
    attributes = element.attrib
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    return "style" in attributes and _HIDDEN.search(attributes["style"]) is not None


def name(element: HtmlElement) -> str:
    """Give an element's name; empty for comments and their like."""
    tag = element.tag
    return tag if isinstance(tag, str) else ""


def classes(element: HtmlElement) -> str:
    """Give an element's classes as it has them, or nothing."""
    return element.get("class") or ""


def containers(root: HtmlElement) -> set[HtmlElement]:
    """Find the elements that hold a block somewhere below them, each block's own ancestors included."""
    found: set[HtmlElement] = set()
    for element in root.iter(*BLOCKS):
        parent = element.getparent()
        while parent is not None and parent not in found:
            found.add(parent)
            parent = parent.getparent()
    return found
