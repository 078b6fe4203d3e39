"""Names of elements and attributes of WordprocessingML (ISO/IEC 29500-1), and access to their values."""

from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import Element, W

WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
V = "{urn:schemas-microsoft-com:vml}"
OFFICE = "{urn:schemas-microsoft-com:office:office}"

VAL = f"{W}val"
PARAGRAPH = f"{W}p"
TABLE = f"{W}tbl"

TRANSPARENT = frozenset(
    f"{W}{name}" for name in ("sdtContent", "sdt", "smartTag", "customXml", "ins", "moveTo", "dir", "bdo", "fldSimple")
)
"""Elements that only wrap content that is read."""

REMOVED = frozenset(f"{W}{name}" for name in ("del", "moveFrom"))
"""Tracked deletions."""

_FALSE = ("0", "false", "off", "none")


def child_value(element: Element | None, name: str) -> str | None:
    """Return the `w:val` of a child; None without the child or its value."""
    if element is None:
        return None
    child = element.find(name)
    return None if child is None else child.get(VAL)


def is_on(element: Element) -> bool:
    """Return the value of a toggle: on unless its `w:val` is false (ISO/IEC 29500-1, 17.17.4)."""
    return element.get(VAL, "1") not in _FALSE


def integer(text: str | None, default: int = 0) -> int:
    """Return a whole number, or the default if the text is not one of at most nine digits."""
    try:
        return int(text) if text is not None and len(text) <= 10 else default
    except ValueError:
        return default
