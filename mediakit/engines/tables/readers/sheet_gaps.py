"""What the XML of an XLSX sheet says beyond its values: cells with errors, formulas without a saved value."""

import io
import re
import zipfile
from dataclasses import dataclass, field

_MOST_BYTES = 60_000_000
"""Of a sheet's XML; larger sheets are not searched."""

_CELL = re.compile(rb"<(?:\w+:)?c\s")
_FORMULA = re.compile(rb"<(?:\w+:)?f\b")
_SAVED = re.compile(rb"<(?:\w+:)?v>[^<]|<(?:\w+:)?is>|t=\"str\"")
_ERROR = re.compile(rb"<(?:\w+:)?v>(#[^<]{1,20})</")
_REFERENCE = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')
_SHEET = re.compile(rb"<(?:\w+:)?sheet\b[^>]*?/?>")
_NAME = re.compile(rb'\bname="([^"]*)"')
_RELATION_ID = re.compile(rb'\b\w+:id="([^"]*)"')
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*>")


@dataclass
class Gaps:
    """Cells of a sheet that have no value to read."""

    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    """Errors such as `#N/A` by row and column, from 0."""
    formulas: int = 0
    """Formulas without a saved value."""


def gaps_of(content: bytes, sheet: str) -> Gaps:
    """Return the gaps of a sheet; none where the workbook is of another format or cannot be searched."""
    found = Gaps()
    if not content.startswith(b"PK"):
        return found
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            xml = _sheet_xml(archive, sheet)
    except (KeyError, ValueError, zipfile.BadZipFile, NotImplementedError, OSError, RuntimeError):
        return found
    if b't="e"' not in xml and b"<f" not in xml and b":f" not in xml:
        return found
    for cell in _CELL.split(xml)[1:]:
        _note(cell, found)
    return found


def _note(cell: bytes, found: Gaps) -> None:
    """Note the gap of a cell: its XML from its attributes up to the next cell."""
    attributes, _, inner = cell.partition(b">")
    if b't="e"' in attributes:
        error, place = _ERROR.search(inner), _REFERENCE.search(attributes)
        if error and place:
            found.errors[int(place[2]) - 1, _column(place[1])] = error[1].decode("ascii", "replace")
    elif _FORMULA.search(inner) and not _SAVED.search(inner):
        found.formulas += 1


def _column(letters: bytes) -> int:
    """Return the number of a column, from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def _sheet_xml(archive: zipfile.ZipFile, sheet: str) -> bytes:
    """Return the XML of a sheet by its name; nothing where it is not found."""
    from html import unescape

    book = archive.read("xl/workbook.xml")
    for tag in _SHEET.findall(book):
        name, relation = _NAME.search(tag), _RELATION_ID.search(tag)
        if name and relation and unescape(name[1].decode()) == sheet:
            path = _target(archive.read("xl/_rels/workbook.xml.rels"), relation[1])
            info = archive.getinfo(path)
            return archive.read(info) if info.file_size <= _MOST_BYTES else b""
    return b""


def _target(relations: bytes, relation: bytes) -> str:
    for tag in _RELATION.findall(relations):
        if b'Id="' + relation + b'"' in tag:
            target = re.search(rb'Target="([^"]*)"', tag)
            path = target[1].decode() if target else ""
            return path.lstrip("/") if path.startswith("/") else f"xl/{path}"
    raise KeyError(relation)
