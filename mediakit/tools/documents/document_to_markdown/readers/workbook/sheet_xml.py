"""The cells of a sheet, read row by row from its XML until there are enough."""

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape

from lxml import etree

from mediakit.engines.xml import iterate_elements
from mediakit.tools.documents.document_to_markdown.readers.grids import Grid
from mediakit.tools.documents.document_to_markdown.readers.workbook.cell_values import iso_text, number_text
from mediakit.tools.documents.document_to_markdown.readers.workbook.number_formats import NumberFormat

MAX_ROW, MAX_COLUMN = 1_048_576, 16_384
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_HYPERLINK = re.compile(rb"<(?:\w+:)?hyperlink\b([^>]*)>")
_ATTRIBUTE = re.compile(rb"([\w:]+)\s*=\s*\"([^\"]*)\"")


class SheetReader:
    """Reads the sheets of one workbook."""

    def __init__(self, strings: "list[str]", formats: list[NumberFormat], *, is_1904: bool) -> None:
        self._strings, self._formats, self._is_1904 = strings, formats, is_1904
        self.missing_values = 0
        """Formulas without a saved value."""
        self._readers: Mapping[str, Callable[[str], str]] = {
            "s": self._shared,
            "b": lambda raw: "TRUE" if raw.strip() in ("1", "true") else "FALSE",
            "d": iso_text,
            "e": str.strip,
            "str": unescaped,
        }

    def read(self, content: bytes, part: str, grid: Grid) -> None:
        """Add the cells of a sheet to a grid.

        Raises:
            InvalidInput: The XML is damaged.
        """
        place = -1
        for row in iterate_elements(content, part, f"{MAIN}row"):
            stated = row.get("r") or ""
            place = int(stated) - 1 if stated.isdecimal() and 0 < int(stated) <= MAX_ROW else place + 1
            if not grid.add(place, dict(self._cells(row))):
                return

    def _cells(self, row: etree._Element) -> Iterator[tuple[int, str]]:
        column = -1
        for cell in row.iterchildren(f"{MAIN}c"):
            match = _REFERENCE.fullmatch(cell.get("r") or "")
            column = column_number(match[1]) if match else column + 1
            if column >= MAX_COLUMN:
                return
            text = self._text(cell)
            if text.strip():
                yield column, text

    def _text(self, cell: etree._Element) -> str:
        kind = cell.get("t") or "n"
        if kind == "inlineStr":
            inline = cell.find(f"{MAIN}is")
            if inline is not None:
                return string_text(inline)
        value = cell.find(f"{MAIN}v")
        raw = "" if value is None else value.text or ""
        if not raw:
            self.missing_values += kind != "str" and cell.find(f"{MAIN}f") is not None
            return ""
        read = self._readers.get(kind)
        return read(raw) if read else self._number(raw, cell.get("s") or "0")

    def _shared(self, raw: str) -> str:
        index = int(raw) if raw.strip().isdecimal() else -1
        return self._strings[index] if 0 <= index < len(self._strings) else ""

    def _number(self, raw: str, style: str) -> str:
        index = int(style) if style.isdecimal() else 0
        number_format = self._formats[index] if index < len(self._formats) else self._formats[0]
        return number_text(raw, number_format, is_1904=self._is_1904)


def column_number(letters: str) -> int:
    """Return the number of a column, from 0."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def string_text(element: etree._Element) -> str:
    """Return the text of a string: its runs, without phonetic ones."""
    pieces = []
    for child in element:
        if child.tag == f"{MAIN}t":
            pieces.append(child.text or "")
        elif child.tag == f"{MAIN}r":
            pieces += [text.text or "" for text in child.iterchildren(f"{MAIN}t")]
    return unescaped("".join(pieces))


def unescaped(text: str) -> str:
    """Return a text whose control characters are not escaped (ISO/IEC 29500-1, 22.4.2.4)."""
    return _ESCAPE.sub(_character, text) if "_x" in text else text


def _character(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character.isprintable() or character in "\r\n\t" else ""


def hyperlinks(content: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield the row and column from 0, and the identifier of the relationship, of each link of a sheet."""
    for tag in _HYPERLINK.findall(content, max(0, content.rfind(b"sheetData>"))):
        found = {name.rpartition(b":")[2]: value.decode("utf-8", "replace") for name, value in _ATTRIBUTE.findall(tag)}
        match = _REFERENCE.match(found.get(b"ref", ""))
        if match and b"id" in found:
            yield int(match[2]) - 1, column_number(match[1]), unescape(found[b"id"])
