"""Names of elements and attributes of PresentationML and DrawingML (ISO/IEC 29500-1)."""

from typing import TypeAlias

from lxml.etree import _Element

Element: TypeAlias = _Element

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"


def integer(text: str | None, default: int = 0) -> int:
    """Return an attribute as an integer; the default for other text."""
    text = (text or "").strip()
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 15 else default


def is_true(text: str | None) -> bool:
    """Return whether an attribute of type boolean is true."""
    return text in ("1", "true", "on")
