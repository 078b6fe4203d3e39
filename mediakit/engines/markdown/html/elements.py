"""Groups of HTML elements by their role in the text, and helpers for elements."""

import re

from lxml.html import HtmlElement


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


IGNORED_ELEMENTS = word_set(
    "script style noscript template head title meta link base object embed applet param iframe frame frameset "
    "audio video "
    "source track canvas svg map area select option optgroup datalist textarea input progress meter dialog "
    "noembed noframes rp"
)
"""Elements without readable text."""

BLOCK_ELEMENTS = word_set(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td "
    "tfoot th thead tr caption colgroup ul listing xmp plaintext"
)
"""Elements that start and end a line."""

HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
EMPHASIS_MARKS = {
    "em": "em",
    "i": "em",
    "var": "em",
    "strong": "strong",
    "b": "strong",
    "del": "del",
    "s": "del",
    "strike": "del",
}
"""Kind of emphasis by element."""

INLINE_CODE_ELEMENTS = word_set("code kbd samp tt")

_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def is_hidden(element: HtmlElement) -> bool:
    """Return whether an element is hidden by its `hidden` or `style` attribute."""
    hidden = element.get("hidden")
    if hidden is not None and hidden != "until-found":
        return True
    style = element.get("style")
    return style is not None and _HIDDEN_STYLE.search(style) is not None


def tag_name(element: HtmlElement) -> str:
    """Return an element's tag name. Empty for comments and processing instructions."""
    tag = element.tag
    return tag if isinstance(tag, str) else ""


def class_names(element: HtmlElement) -> str:
    """Return the value of an element's `class` attribute, or an empty string."""
    return element.get("class") or ""


def has_text(element: HtmlElement) -> bool:
    """Return whether an element or a descendant of it has text other than white space."""
    text = element.text
    if text and not text.isspace():
        return True
    return len(element) > 0 and any(map(str.strip, element.itertext()))


def is_plain_and_empty(element: HtmlElement) -> bool:
    """Return whether an element has neither content nor attributes for styles and scripts, which would show an icon."""
    has_content = len(element) > 0 or bool((element.text or "").strip())
    return not has_content and all(name in ("href", "title") for name in element.attrib)


def block_ancestors(root: HtmlElement) -> set[HtmlElement]:
    """Return the ancestors of all block elements: the elements that contain a block."""
    found: set[HtmlElement] = set()
    for element in root.iter(*BLOCK_ELEMENTS):
        parent = element.getparent()
        while parent is not None and parent not in found:
            found.add(parent)
            parent = parent.getparent()
    return found
