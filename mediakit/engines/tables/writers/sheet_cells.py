"""Cells of a sheet of XLSX as XML."""

import re
from html import escape

from mediakit.engines.tables.writers.numerals import number

EMPTY_CELL = "<c/>"
STYLES = {"bold": 1, "date": 2, "datetime": 3, "time": 4, "text": 5, "green": 6, "red": 7, "yellow": 8}
"""Indexes of the formats in the style sheet."""

_EXACT_INTEGER = 10**15
"""Excel rounds longer integers, so they are text."""

_NOT_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
"""Characters that XML cannot have, and the carriage return, which it would change."""

_ESCAPED = re.compile("_x[0-9A-Fa-f]{4}_")


def text_cell(text: str, style: str = "") -> str:
    """Return a cell of text, which is never a formula."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda match: f"_x005F{match[0]}", text)
    xml = escape(text, quote=False)
    if not xml.isprintable():
        xml = _NOT_XML.sub(_escaped, xml)
    space = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
    mark = f' s="{STYLES[style]}"' if style else ""
    return f'<c{mark} t="inlineStr"><is><t{space}>{xml}</t></is></c>'


def _escaped(match: re.Match[str]) -> str:
    return f"_x{ord(match[0]):04X}_"


def number_cell(value: object, style: str = "") -> str:
    """Return a cell of a number, as text where Excel would round it; an empty cell for None."""
    mark = f' s="{STYLES[style]}"' if style else ""
    if value is None:
        return f"<c{mark}/>" if style else EMPTY_CELL
    if isinstance(value, int) and abs(value) >= _EXACT_INTEGER:
        return text_cell(str(value), style or "text")
    return f"<c{mark}><v>{number(value)}</v></c>"
