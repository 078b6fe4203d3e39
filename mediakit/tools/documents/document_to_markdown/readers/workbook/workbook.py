"""A workbook: its visible sheets in order, or those that are named."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mediakit.engines.xml import iterate_elements
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.office.package import RELATIONSHIP_ID, OfficePackage
from mediakit.tools.documents.document_to_markdown.readers.sheet_blocks import (
    SheetBlocks,
    SheetName,
    chosen_sheets,
    warn_of_missing_values,
)
from mediakit.tools.documents.document_to_markdown.readers.workbook.number_formats import (
    NumberFormat,
    built_in,
    parse_format,
)
from mediakit.tools.documents.document_to_markdown.readers.workbook.sheet_xml import (
    MAIN,
    SheetReader,
    hyperlinks,
    string_text,
)

if TYPE_CHECKING:
    from lxml import etree


@dataclass(frozen=True)
class SheetPart(SheetName):
    """A sheet, and the part with its cells."""

    part: str = ""


def read(content: bytes, options: ReadOptions) -> Document:
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
    reader = SheetReader(_strings(package), _formats(package), is_1904=_is_1904(root))
    blocks = SheetBlocks(document, options)
    for sheet in chosen_sheets(sheets, options, document):
        grid = blocks.new_grid()
        part = package.read(sheet.part)
        reader.read(part, sheet.part, grid)
        grid.links = _links(package, sheet.part, part)
        blocks.add(sheet.name, grid)
    warn_of_missing_values(document, reader.missing_values)
    return document


def _sheets(package: OfficePackage, root: "etree._Element") -> Iterator[SheetPart]:
    """Yield the sheets with cells; sheets of charts, dialogs and macros have none."""
    relationships = package.relationships(package.main)
    for element in root.iterfind(f"{MAIN}sheets/{MAIN}sheet"):
        relationship = relationships.get(element.get(RELATIONSHIP_ID) or "")
        if relationship is not None and relationship.kind == "worksheet" and relationship.target in package:
            is_hidden = element.get("state") in ("hidden", "veryHidden")
            yield SheetPart(element.get("name") or "", is_hidden=is_hidden, part=relationship.target)


def _is_1904(root: "etree._Element") -> bool:
    properties = root.find(f"{MAIN}workbookPr")
    return properties is not None and properties.get("date1904") in ("1", "true")


def _strings(package: OfficePackage) -> list[str]:
    part = package.related(package.main, "sharedStrings") or "xl/sharedStrings.xml"
    content = package.read(part)
    return [string_text(element) for element in iterate_elements(content, part, f"{MAIN}si")] if content else []


def _formats(package: OfficePackage) -> list[NumberFormat]:
    """Return the number format of each cell style."""
    root = package.xml(package.related(package.main, "styles") or "xl/styles.xml")
    general = parse_format("General")
    if root is None:
        return [general]
    codes = {
        element.get("numFmtId"): element.get("formatCode") or "General"
        for element in root.iterfind(f"{MAIN}numFmts/{MAIN}numFmt")
    }
    formats = []
    for style in root.iterfind(f"{MAIN}cellXfs/{MAIN}xf"):
        number = style.get("numFmtId") or "0"
        formats.append(parse_format(codes.get(number) or built_in(int(number) if number.isdecimal() else 0)))
    return formats or [general]


def _links(package: OfficePackage, part: str, content: bytes) -> dict[tuple[int, int], str]:
    """Return the addresses that cells link to, by row and column."""
    relationships = package.relationships(part)
    found = {}
    for row, column, identifier in hyperlinks(content):
        relationship = relationships.get(identifier)
        if relationship is not None and relationship.is_external:
            found[row, column] = relationship.target
    return found
