"""What the XML of a sheet of XLSX or ODS says beyond the values that calamine reads.

Cells with errors, formulas without a saved value, dates before 1900, and identifiers that a format of zeros pads.
"""

import datetime as dt
import io
import re
import zipfile
from dataclasses import dataclass, field
from functools import reduce
from html import unescape
from typing import Any, Literal

from mediakit.engines.tables.model import MAX_COLUMNS

_MOST_BYTES = 60_000_000
"""Of a sheet's XML; larger sheets are not searched."""

_CELL = re.compile(rb"<(?:\w+:)?c\s")
_FORMULA = re.compile(rb"<(?:\w+:)?f\b")
_SAVED = re.compile(rb"<(?:\w+:)?v>[^<]|<(?:\w+:)?is>|t=\"str\"")
_ERROR = re.compile(rb"<(?:\w+:)?v>(#[^<]{1,20})</")
_VALUE = re.compile(rb"<(?:\w+:)?v>([-+0-9.eE]{1,40})</")
_STYLE = re.compile(rb'\bs="(\d{1,9})"')
_REFERENCE = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')
_SHEET = re.compile(rb"<(?:\w+:)?sheet\b[^>]*?/?>")
_NAME = re.compile(rb'\bname="([^"]*)"')
_RELATION_ID = re.compile(rb'\b\w+:id="([^"]*)"')
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*>")
_FORMAT = re.compile(rb"<(?:\w+:)?numFmt\b[^>]*>")
_CELL_FORMATS = re.compile(rb"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", re.DOTALL)
_CELL_FORMAT = re.compile(rb'<(?:\w+:)?xf\b[^>]*?\bnumFmtId="(\d{1,9})"')
_DATE_1904 = re.compile(rb'\bdate1904="(?:1|true)"')

_TOKEN = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|([ ()/-])|(0)')
_CONDITION = re.compile(r"\[<=?(\d+)\]")
_BUILT_IN: dict[int, str] = {
    **dict.fromkeys((14, 15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58), "d"),
    **dict.fromkeys((18, 19, 20, 21, 45, 47), "h:mm"),
    **dict.fromkeys((22,), "d h:mm"),
    46: "[h]:mm",
}
_SECONDS_PER_DAY = 86_400
_MOST_DIGITS = 15

FormatKind = Literal["date", "datetime", "time"]


@dataclass
class SheetXml:
    """What a sheet says beyond its values, by row and column from 0."""

    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    """Errors such as `#N/A`."""
    is_searched: bool = False
    """Whether the workbook is one of XML that could be searched."""
    formulas: int = 0
    """Formulas without a saved value."""
    shown: dict[tuple[int, int], Any] = field(default_factory=dict)
    """Padded identifiers, and moments before 1900, of cells that are read as other values."""


def read_sheet_xml(content: bytes, sheet: str) -> SheetXml:
    """Return what a sheet says; nothing where the workbook is of another format or cannot be searched."""
    found = SheetXml()
    if not content.startswith(b"PK"):
        return found
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if _ODS_CONTENT in archive.namelist():
                found.shown = _padded_in_ods(archive, sheet)
                return found
            book = archive.read("xl/workbook.xml")
            xml = _sheet_xml(archive, book, sheet)
            styles = archive.read("xl/styles.xml") if "xl/styles.xml" in archive.namelist() else b""
    except (KeyError, ValueError, zipfile.BadZipFile, NotImplementedError, OSError, RuntimeError):
        return found
    found.is_searched = True
    formats = _Formats(styles, has_1904_dates=_DATE_1904.search(book) is not None)
    has_moments = bool(formats.moments) and (b"v>-" in xml or b"v>0<" in xml)
    if formats.zeros or has_moments or b't="e"' in xml or b"<f" in xml or b":f" in xml:
        for cell in _CELL.split(xml)[1:]:
            _note(cell, formats, found)
    return found


def without_new_errors(content: bytes) -> bytes:
    """Return a workbook with the errors of newer versions of Excel, such as `#SPILL!`, as `#VALUE!`."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(made, "w") as copy:
        for info in archive.infolist():
            part = archive.read(info)
            if info.filename.startswith("xl/worksheets/") and info.file_size <= _MOST_BYTES:
                part = re.sub(rb"(<(?:\w+:)?v>)#[A-Z_]+!?(</)", rb"\1#VALUE!\2", part)
            copy.writestr(info.filename, part)
    return made.getvalue()


_ODS_CONTENT = "content.xml"
_ODS_ZEROS = re.compile(rb'min-integer-digits="(?:[2-9]|\d\d)"')
"""A number format of two zeros and more."""

_ODS_TABLE = re.compile(rb'<table:table\s[^>]*?table:name="([^"]*)"[^>]*>(.*?)</table:table>', re.DOTALL)
_ODS_PART = re.compile(
    rb"<table:table-row\b(?P<row>[^>]*)>|<table:(?:covered-)?table-cell\b(?P<cell>[^>]*)>|<text:p>(?P<text>[^<]*)</"
)
_ODS_NUMBER = re.compile(rb'office:value="(\d{1,15})"')
_ODS_REPEATED = re.compile(rb'number-(?:rows|columns)-repeated="(\d{1,7})"')
_PADDED = re.compile(rb"0[-\d ()/]*\d")


def _padded_in_ods(archive: zipfile.ZipFile, sheet: str) -> dict[tuple[int, int], str]:
    """Return the numbers of a sheet of ODS that are shown with zeros before them."""
    info = archive.getinfo(_ODS_CONTENT)
    content = archive.read(info) if info.file_size <= _MOST_BYTES else b""
    tables = _ODS_TABLE.findall(content) if _ODS_ZEROS.search(content) else ()
    table = next((table for name, table in tables if unescape(name.decode()) == sheet), b"")
    found: dict[tuple[int, int], str] = {}
    row = column = rows = columns = 0
    number = None
    for part in _ODS_PART.finditer(table):
        repeated = _ODS_REPEATED.search(part[0])
        count = int(repeated[1]) if repeated else 1
        if part["row"] is not None:
            row, rows, column, columns = row + rows, count, 0, 0
        elif part["cell"] is not None:
            column, columns, number = column + columns, count, _ODS_NUMBER.search(part["cell"])
        elif number and _PADDED.fullmatch(part["text"]) and re.sub(rb"\D", b"", part["text"]).lstrip(b"0") == number[1]:
            found |= {(row, column + place): part["text"].decode() for place in range(min(columns, MAX_COLUMNS))}
    return found


class _Formats:
    """The number formats of cells by the number of their style."""

    def __init__(self, styles: bytes, *, has_1904_dates: bool) -> None:
        self.epoch = dt.datetime(1904, 1, 1) if has_1904_dates else dt.datetime(1899, 12, 30)  # noqa: DTZ001
        codes = dict(_BUILT_IN)
        for tag in _FORMAT.findall(styles):
            number, code = re.search(rb'\bnumFmtId="(\d{1,9})"', tag), re.search(rb'\bformatCode="([^"]*)"', tag)
            if number and code:
                codes[int(number[1])] = unescape(code[1].decode("utf-8", "replace"))
        cells = _CELL_FORMATS.search(styles)
        used = [codes.get(int(each)) or "" for each in _CELL_FORMAT.findall(cells[0] if cells else b"")]
        self.zeros = {style: zeros for style, code in enumerate(used) if (zeros := format_of_zeros(code))}
        self.moments = {style: kind for style, code in enumerate(used) if (kind := _moment_kind(code))}

    def moment(self, style: int, days: float) -> dt.date | dt.timedelta | None:
        """Return a moment before 1900, or a duration below zero; None for other values."""
        kind = self.moments[style]
        if days > 0 or (days == 0 and kind != "date"):
            return None
        seconds = dt.timedelta(seconds=round(days * _SECONDS_PER_DAY, 3))
        if kind == "time":
            return seconds
        try:
            moment = self.epoch + seconds
        except OverflowError:
            return None
        return moment.date() if kind == "date" and moment.time() == dt.time() else moment


@dataclass(frozen=True)
class Zeros:
    """A number format that writes identifiers with a fixed number of digits, such as 00000 or 00000-0000."""

    sections: tuple[tuple[str | None, ...], ...]
    """For each section its parts: a text, or None for a digit."""
    largest: int | None
    """The largest number of the first section; None for any."""

    def padded(self, number: int) -> str:
        """Return a number as the format shows it."""
        is_beyond = self.largest is not None and number > self.largest
        parts = self.sections[1 if is_beyond and len(self.sections) > 1 else 0]
        digits = str(number).rjust(parts.count(None), "0")
        surplus = len(digits) - parts.count(None)
        rest = iter(digits[surplus:])
        shown = [next(rest) if part is None else part for part in parts]
        first = parts.index(None)
        return "".join([*shown[:first], digits[:surplus], *shown[first:]])


def format_of_zeros(code: str) -> Zeros | None:
    """Return a number format whose sections have only zeros and separators, two zeros at least; None for others."""
    plain = re.sub(r"\[(?:\$[^\]]*|[A-Za-z]+)\]", "", code)  # languages and colors
    condition = _CONDITION.match(plain)
    sections = plain[condition.end() if condition else 0 :].split(";")[: 2 if condition else 1]
    parts = [_parts(section) for section in sections]
    if any(each is None or each.count(None) < 2 for each in parts):
        return None
    return Zeros(tuple(each for each in parts if each), int(condition[1]) if condition else None)


def _parts(section: str) -> tuple[str | None, ...] | None:
    found: list[str | None] = []
    at = 0
    while at < len(section):
        match = _TOKEN.match(section, at)
        if not match:
            return None
        found.append(None if match[4] else match[1] or match[2] or match[3] or "")
        at = match.end()
    return tuple(found)


def _moment_kind(code: str) -> FormatKind | None:
    """Return whether a format writes dates, datetimes or times; None for one of numbers."""
    first = re.sub(r'"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]', "", code.partition(";")[0].lower())
    if re.search(r"[0#?]", re.sub(r"[.]0+", "", first)) or "general" in first:
        return None
    has_time, has_day = bool(re.search("[hs]", first)), bool(re.search("[yd]", first))
    if not has_time and not has_day:
        return "date" if "mmm" in first else None
    return "datetime" if has_time and has_day else "date" if has_day else "time"


def _note(cell: bytes, formats: _Formats, found: SheetXml) -> None:
    """Note what a cell says: its XML from its attributes up to the next cell."""
    attributes, _, inner = cell.partition(b">")
    place = _REFERENCE.search(attributes)
    column = reduce(lambda number, letter: number * 26 + letter - 64, place[1] if place else b"", 0)
    at = (int(place[2]) - 1, column - 1) if place else None
    if b't="e"' in attributes:
        error = _ERROR.search(inner)
        if error and at:
            found.errors[at] = error[1].decode("ascii", "replace")
        return
    if _FORMULA.search(inner) and not _SAVED.search(inner):
        found.formulas += 1
    style, value = _STYLE.search(attributes), _VALUE.search(inner)
    if at and style and value and (b't="' not in attributes or b't="n"' in attributes):
        kind, number = int(style[1]), float(value[1])
        if kind in formats.moments:
            if (moment := formats.moment(kind, number)) is not None:
                found.shown[at] = moment
        elif kind in formats.zeros and number.is_integer() and 0 <= number < 10**_MOST_DIGITS:
            found.shown[at] = formats.zeros[kind].padded(int(number))


def _sheet_xml(archive: zipfile.ZipFile, book: bytes, sheet: str) -> bytes:
    """Return the XML of a sheet by its name; nothing where it is not found."""
    for tag in _SHEET.findall(book):
        name, relation = _NAME.search(tag), _RELATION_ID.search(tag)
        if name and relation and unescape(name[1].decode()) == sheet:
            relations = _RELATION.findall(archive.read("xl/_rels/workbook.xml.rels"))
            chosen = next((each for each in relations if b'Id="' + relation[1] + b'"' in each), None)
            if chosen is None:
                raise KeyError(relation[1])
            target = re.search(rb'Target="([^"]*)"', chosen)
            path = target[1].decode() if target else ""
            info = archive.getinfo(path.lstrip("/") if path.startswith("/") else f"xl/{path}")
            return archive.read(info) if info.file_size <= _MOST_BYTES else b""
    return b""
