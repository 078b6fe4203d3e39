"""Workbooks: the cells of XLSX and XLSM, read row by row from the XML until there are enough; XLS and XLSB by calamine.

The XML is not read by openpyxl: it refuses or loses files that Excel opens (strict ones, those without shared strings),
builds every cell between two that are far apart, and reads neither links nor comments when it reads row by row.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, time, timedelta
from html import unescape
from itertools import islice
from typing import Any, NamedTuple

import python_calamine

from mediakit.engines.archives.container import check_archive, check_unpacked_sizes
from mediakit.engines.xml import iterate_elements
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, Omitted, WarningCounter
from mediakit.tools.documents.document_to_markdown.readers import ENCRYPTED
from mediakit.tools.documents.document_to_markdown.readers.office import Element, integer, is_symbol_font, symbol_text
from mediakit.tools.documents.document_to_markdown.readers.office.package import RELATIONSHIP_ID, OfficePackage
from mediakit.tools.documents.document_to_markdown.readers.sheets import (
    MAX_COMMENTS,
    Comment,
    Grid,
    Place,
    SheetName,
    SheetWriter,
)
from mediakit.tools.documents.document_to_markdown.readers.sheets.number_formats import (
    BUILT_IN,
    NumberFormat,
    duration_text,
    iso_text,
    number_text,
    parse_format,
)
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

MAX_ROW, MAX_COLUMN = 1_048_576, 16_384
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
THREADED = "{http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments}"

_OMITTED = {
    "image": Omitted.SHEET_IMAGES,
    "chart": Omitted.SHEET_CHARTS,
    "chartEx": Omitted.SHEET_CHARTS,
    "oleObject": Omitted.EMBEDDED_FILES,
    "package": Omitted.EMBEDDED_FILES,
}
"""Warnings for what sheets and their drawings refer to, by the kind of the relationship."""

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_HYPERLINK = re.compile(rb"<(?:\w+:)?hyperlink\b([^>]*)>")
_ATTRIBUTE = re.compile(rb"([\w:]+)\s*=\s*\"([^\"]*)\"")


@dataclass(frozen=True)
class SheetPart(SheetName):
    """A sheet, and the part with its cells."""

    part: str = ""


def read(content: bytes, options: Request) -> Document:
    """Read a workbook.

    Raises:
        InvalidInput: It is damaged, or has no sheet of a name.
    """
    package = OfficePackage(content, "xl/workbook.xml")
    root = package.xml(package.main)
    if root is None:
        raise InvalidInput("file: is a damaged workbook.")
    sheets = list(_sheets(package, root))
    if not sheets:
        raise InvalidInput("file: is a workbook without sheets that can be read.")
    document = Document()
    package.describe(document)
    properties = root.find(f"{MAIN}workbookPr")
    is_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    cells = CellReader(_strings(package), _styles(package), is_1904=is_1904)
    writer = SheetWriter(document, options)
    for sheet in writer.chosen(sheets):
        grid = Grid(writer.room)
        part = package.read(sheet.part)
        cells.read(part, sheet.part, grid)
        grid.links = _links(package, sheet.part, part)
        writer.add(sheet.name, grid, _comments(package, sheet.part) if options.comments else None)
        for name in (sheet.part, *_parts(package, sheet.part, "drawing")):
            _warn_of_omitted(package, name, options, writer.warnings)
    for name in _parts(package, package.main, "richValueRel"):  # images in cells
        _warn_of_omitted(package, name, options, writer.warnings)
    for relationship in package.relationships(package.main).values():
        if relationship.kind in ("externalLink", "connections"):
            writer.warnings.warn(Omitted.LINKED_DOCUMENTS)
    writer.finish(cells.missing_values)
    return document


def _sheets(package: OfficePackage, root: Element) -> Iterator[SheetPart]:
    """Yield the sheets with cells; sheets of charts, dialogs and macros have none."""
    relationships = package.relationships(package.main)
    for element in root.iterfind(f"{MAIN}sheets/{MAIN}sheet"):
        relationship = relationships.get(element.get(RELATIONSHIP_ID) or "")
        if relationship is not None and relationship.kind == "worksheet" and relationship.target in package:
            is_hidden = element.get("state") in ("hidden", "veryHidden")
            yield SheetPart(element.get("name") or "", is_hidden=is_hidden, part=relationship.target)


def _strings(package: OfficePackage) -> list[str]:
    part = package.related(package.main, "sharedStrings") or "xl/sharedStrings.xml"
    content = package.read(part)
    return [string_text(element) for element in iterate_elements(content, part, f"{MAIN}si")] if content else []


class CellStyle(NamedTuple):
    """What a style of cells means for their text."""

    number_format: NumberFormat
    font: str = ""
    """Its font, if that is a symbol font."""


def _styles(package: OfficePackage) -> list[CellStyle]:
    """Return the styles of cells by index: one or more."""
    root = package.xml(package.related(package.main, "styles") or "xl/styles.xml")
    general = CellStyle(parse_format("General"))
    if root is None:
        return [general]
    fonts = [_symbol_font(font.find(f"{MAIN}name")) for font in root.iterfind(f"{MAIN}fonts/{MAIN}font")]
    codes = {
        element.get("numFmtId"): element.get("formatCode") or "General"
        for element in root.iterfind(f"{MAIN}numFmts/{MAIN}numFmt")
    }
    styles = []
    for style in root.iterfind(f"{MAIN}cellXfs/{MAIN}xf"):
        number = style.get("numFmtId") or "0"
        index = integer(style.get("fontId"), -1)
        font = fonts[index] if 0 <= index < len(fonts) else ""
        styles.append(CellStyle(parse_format(codes.get(number) or BUILT_IN.get(integer(number, -1), "General")), font))
    return styles or [general]


def _symbol_font(name: Element | None) -> str:
    """Return the symbol font that an element names. Empty for other fonts."""
    font = "" if name is None else name.get("val") or ""
    return font if is_symbol_font(font) else ""


class CellReader:
    """Reads the cells of one workbook."""

    def __init__(self, strings: list[str], styles: list[CellStyle], *, is_1904: bool) -> None:
        self._strings, self._styles, self._is_1904 = strings, styles, is_1904
        self.missing_values = 0
        """Formulas without a saved value."""
        self._readers: Mapping[str, Callable[[str], str]] = {
            "b": lambda raw: "TRUE" if raw.strip() in ("1", "true") else "FALSE",
            "d": iso_text,
            "e": str.strip,
        }

    def read(self, content: bytes, part: str, grid: Grid) -> None:
        """Add the cells of a sheet to a grid.

        Raises:
            InvalidInput: The XML is damaged.
        """
        place = -1
        for row in iterate_elements(content, part, f"{MAIN}row"):
            stated = integer(row.get("r"), -1)
            place = stated - 1 if 0 < stated <= MAX_ROW else place + 1
            if not grid.add(place, dict(self._cells(row))):
                return

    def _cells(self, row: Element) -> Iterator[tuple[int, str]]:
        column = -1
        for cell in row.iterchildren(f"{MAIN}c"):
            match = _REFERENCE.fullmatch(cell.get("r") or "")
            column = column_number(match[1]) if match else column + 1
            if column >= MAX_COLUMN:
                return
            text = self._text(cell)
            if text.strip():
                yield column, text

    def _text(self, cell: Element) -> str:
        kind = cell.get("t") or "n"
        inline = cell.find(f"{MAIN}is") if kind == "inlineStr" else None
        if inline is not None:
            return self._shown(cell, string_text(inline))
        value = cell.find(f"{MAIN}v")
        raw = "" if value is None else value.text or ""
        if not raw:
            self.missing_values += kind != "str" and cell.find(f"{MAIN}f") is not None
            return ""
        if kind == "s":
            index = integer(raw, -1)
            return self._shown(cell, self._strings[index] if 0 <= index < len(self._strings) else "")
        if kind == "str":
            return self._shown(cell, unescaped(raw))
        read = self._readers.get(kind)
        return read(raw) if read else number_text(raw, self._style(cell).number_format, is_1904=self._is_1904)

    def _shown(self, cell: Element, text: str) -> str:
        """Return a text as a cell shows it."""
        style = self._style(cell)
        return style.number_format.shown_text(symbol_text(style.font, text)) if text else ""

    def _style(self, cell: Element) -> CellStyle:
        index = integer(cell.get("s"), -1)
        return self._styles[index if 0 <= index < len(self._styles) else 0]


def column_number(letters: str) -> int:
    """Return the number of a column, from 0."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def string_text(element: Element) -> str:
    """Return the text of a string: its runs, without phonetic ones."""
    pieces = []
    for child in element:
        if child.tag == f"{MAIN}t":
            pieces.append(child.text or "")
        elif child.tag == f"{MAIN}r":
            font = _symbol_font(child.find(f"{MAIN}rPr/{MAIN}rFont"))
            pieces += [symbol_text(font, text.text or "") for text in child.iterchildren(f"{MAIN}t")]
    return unescaped("".join(pieces))


def unescaped(text: str) -> str:
    """Return a text whose control characters are not escaped (ISO/IEC 29500-1, 22.4.2.4)."""
    if "_x" not in text:
        return text
    pieces = _ESCAPE.split(text)
    codes = (chr(int(code, 16)) for code in pieces[1::2])
    pieces[1::2] = [character if character.isprintable() or character in "\r\n\t" else "" for character in codes]
    return "".join(pieces)


def _place(reference: str) -> Place | None:
    """Return the row and column of a reference such as `B7`, or of the first cell of a range."""
    match = _REFERENCE.match(reference)
    return (int(match[2]) - 1, column_number(match[1])) if match and 0 < int(match[2]) <= MAX_ROW else None


def _links(package: OfficePackage, part: str, content: bytes) -> dict[Place, str]:
    """Return the addresses that cells link to."""
    relationships = package.relationships(part)
    found = {}
    for tag in _HYPERLINK.findall(content, max(0, content.rfind(b"sheetData>"))):
        values = {
            name.rpartition(b":")[2]: unescape(value.decode("utf-8", "replace"))
            for name, value in _ATTRIBUTE.findall(tag)
        }
        relationship = relationships.get(values.get(b"id", ""))
        place = _place(values.get(b"ref", ""))
        if place and relationship is not None and relationship.is_external:
            found[place] = relationship.target
    return found


def _comments(package: OfficePackage, part: str) -> dict[Place, list[Comment]]:
    """Return the comments on the cells of a sheet. Threads replace their notes for old versions of Excel."""
    found: dict[Place, list[Comment]] = {}
    for root in _roots(package, part, "comments"):
        authors = [" ".join((author.text or "").split()) for author in root.iterfind(f"{MAIN}authors/{MAIN}author")]
        for element in islice(root.iterfind(f"{MAIN}commentList/{MAIN}comment"), MAX_COMMENTS + 1):
            text, place = element.find(f"{MAIN}text"), _place(element.get("ref") or "")
            index = integer(element.get("authorId"), -1)
            author = authors[index] if 0 <= index < len(authors) else ""
            if place and text is not None:
                found[place] = [Comment(author, string_text(text).strip().removeprefix(f"{author}:"))]
    people = (each for root in _roots(package, package.main, "person") for each in root.iter(f"{THREADED}person"))
    names = {person.get("id"): " ".join((person.get("displayName") or "").split()) for person in people}
    threads: dict[Place, list[Comment]] = {}
    for root in _roots(package, part, "threadedComment"):
        for element in islice(root.iter(f"{THREADED}threadedComment"), MAX_COMMENTS + 1):
            place, words = _place(element.get("ref") or ""), element.findtext(f"{THREADED}text") or ""
            if place and words.strip():
                threads.setdefault(place, []).append(Comment(names.get(element.get("personId"), ""), words))
    return found | threads


def _roots(package: OfficePackage, part: str, kind: str) -> Iterator[Element]:
    """Yield the roots of the parts of a kind that a part refers to."""
    return (root for name in _parts(package, part, kind) if (root := package.xml(name)) is not None)


def _parts(package: OfficePackage, part: str, kind: str) -> list[str]:
    """Return the parts of a kind that a part refers to."""
    found = package.relationships(part).values()
    return [each.target for each in found if each.kind == kind and not each.is_external]


def _warn_of_omitted(package: OfficePackage, part: str, options: Request, warnings: WarningCounter) -> None:
    """Count what a part refers to and what is not written."""
    for relationship in package.relationships(part).values():
        warning = _OMITTED.get(relationship.kind)
        if relationship.is_external and warning:
            warning = Omitted.LINKED_IMAGES if warning == Omitted.SHEET_IMAGES else Omitted.LINKED_DOCUMENTS
        if warning and not (options.images == "none" and relationship.kind == "image"):
            warnings.warn(warning)


_EXACT = 1e15


def read_binary(content: bytes, options: Request) -> Document:
    """Read a workbook in a binary format (XLS, XLSB), whose cells calamine reads.

    Raises:
        InvalidInput: It is encrypted or damaged, or has no sheet of a name.
    """
    if content.startswith(b"PK"):
        check_archive(content, "file")
    with _errors(content, "is a damaged workbook"):
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    sheets = [
        SheetName(sheet.name, is_hidden=not str(sheet.visible).endswith(".Visible"))
        for sheet in book.sheets_metadata
        if str(sheet.typ).endswith("WorkSheet")
    ]
    document = Document()
    writer = SheetWriter(document, options)
    for sheet in writer.chosen(sheets):
        grid = Grid(writer.room)
        with _errors(content, f'the sheet "{sheet.name[:80]}" cannot be read'):
            rows = book.get_sheet_by_name(sheet.name).iter_rows()
        for place, row in enumerate(rows):
            cells = {column: value_text(value) for column, value in enumerate(row) if value not in ("", None)}
            if not grid.add(place, {column: text for column, text in cells.items() if text.strip()}):
                break
        writer.add(sheet.name, grid)
    if options.comments:
        document.warnings.append("Comments on cells are not read from XLS and XLSB files; save the workbook as XLSX.")
    return document


@contextmanager
def _errors(content: bytes, what: str) -> Iterator[None]:
    """Raise the errors of calamine, of which a damaged file causes nearly any, as `InvalidInput`."""
    try:
        yield
    except MemoryError:
        raise
    except python_calamine.PasswordError:
        raise InvalidInput(ENCRYPTED) from None
    except BaseException as error:  # a panic of Rust code does not derive from Exception
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        if content.startswith(b"PK"):
            check_unpacked_sizes(content, "file")
        raise InvalidInput(f"file: {what}: {str(error)[:120]}.") from error


def value_text(value: Any) -> str:
    """Return a value as text: dates in ISO 8601, whole numbers without a fraction."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float() if value.is_integer() and abs(value) < _EXACT:
            return str(int(value))
        case date() | time():
            return iso_text(value.isoformat())
        case timedelta():
            return duration_text(value / timedelta(days=1))
    return "" if value is None else str(value)
