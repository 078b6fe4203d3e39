"""Names of elements and attributes of OpenDocument 1.3."""

from typing import TypeAlias

from lxml.etree import _Element

Element: TypeAlias = _Element

_PREFIX = "urn:oasis:names:tc:opendocument:xmlns"
OFFICE = f"{{{_PREFIX}:office:1.0}}"
TEXT = f"{{{_PREFIX}:text:1.0}}"
TABLE = f"{{{_PREFIX}:table:1.0}}"
STYLE = f"{{{_PREFIX}:style:1.0}}"
DRAW = f"{{{_PREFIX}:drawing:1.0}}"
FO = f"{{{_PREFIX}:xsl-fo-compatible:1.0}}"
SVG = f"{{{_PREFIX}:svg-compatible:1.0}}"
CHART = f"{{{_PREFIX}:chart:1.0}}"
XLINK = "{http://www.w3.org/1999/xlink}"
DC = "{http://purl.org/dc/elements/1.1/}"
MATHML = "{http://www.w3.org/1998/Math/MathML}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"

STYLE_NAME = f"{TEXT}style-name"


def count(text: str | None, default: int = 1, limit: int = 100_000) -> int:
    """Return a whole number from 0 to the limit, or the default if the text is not one."""
    return min(limit, int(text)) if text and len(text) < 10 and text.isascii() and text.isdigit() else default
