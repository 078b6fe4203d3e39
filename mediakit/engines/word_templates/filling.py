"""Lists the placeholders of a Word file, and fills them with data; runs in a worker.

Filled parts are kept valid: cells have a paragraph, tables have rows and one grid, and copies have their own IDs.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.core.request import invalid
from mediakit.engines.templates.data import MissingPolicy
from mediakit.engines.templates.language import LanguageError, list_fields
from mediakit.engines.templates.rendering import DataError, Rendering, TooLargeError
from mediakit.engines.word_templates import Filled, TemplateField
from mediakit.engines.word_templates.package import BODY, WordFile, Words, cell_columns, integer, remove
from mediakit.engines.word_templates.preprocessing import BRACE, LANGUAGE, Part
from mediakit.engines.word_templates.values import Images, Printer
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput

_STORIES = ("body", "hdr", "ftr", "footnote", "endnote", "txbxContent", "tc")
"""The elements that must have a paragraph."""
_MARKS = (
    "bookmarkStart", "bookmarkEnd", "permStart", "permEnd", "commentRangeStart", "commentRangeEnd", "commentReference",
)  # fmt: skip
"""Marks of which a document can have one with an ID."""
_DRAWING_ID = re.compile(rb'docPr\b[^>]*?\sid="(\d{1,9})"')
_WORD_2010 = "{http://schemas.microsoft.com/office/word/2010/wordml}"


def repair(root: Element, words: Words) -> None:
    """Repair what loops and conditions leave in a part of a document."""
    remove(*[row for row in root.iter(words("tr")) if next(row.iter(words("tc")), None) is None])
    remove(*[table for table in root.iter(words("tbl")) if next(table.iter(words("tr")), None) is None])
    remove(*[content.getparent() for content in root.iter(words("sdtContent")) if not len(content)])
    for name, value in (("gridSpan", "val"), ("shd", "fill")):
        remove(*[each for each in root.iter(words(name)) if each.get(words(value)) == ""])  # of a missing value
    for table in root.iter(words("tbl")):
        _fit_grid(table, words)
    kinds = words.all("p", "tbl", "sdt")
    for story in root.iter(*words.all(*_STORIES)):
        blocks = [child.tag for child in story if child.tag in kinds]
        if not blocks or (story.tag == words("tc") and blocks[-1] == words("tbl")):
            section = story.find(words("sectPr"))
            story.insert(len(story) if section is None else story.index(section), etree.Element(words("p")))


def _fit_grid(table: Element, words: Words) -> None:
    """Give a table as many columns as its widest row has; the width of the table stays."""
    columns = table.findall(words("tblGrid", "gridCol"))
    rows = [row for row in table.iter(words("tr")) if next(row.iterancestors(words("tbl"))) is table]
    wanted = max((_columns_of(row, words) for row in rows), default=0)
    if not columns or not wanted or wanted == len(columns):
        return
    widths = [integer(column.get(words("w"))) for column in columns]
    new = widths[:wanted] + [sum(widths) // len(widths)] * (wanted - len(widths))
    remove(*columns[wanted:])
    columns[0].getparent().extend(  # type: ignore[union-attr]  # the grid
        [etree.Element(words("gridCol")) for _ in range(wanted - len(columns))]
    )
    for column, width in zip(table.iterfind(words("tblGrid", "gridCol")), new, strict=True):
        column.set(words("w"), str(round(width * sum(widths) / max(1, sum(new)))))
    for row in rows:
        for cell_width in row.iterfind(words("tc", "tcPr", "tcW")):
            if cell_width.get(words("type")) == "dxa":
                scaled = str(round(integer(cell_width.get(words("w"))) * len(columns) / wanted))
                cell_width.set(words("w"), scaled)


def _columns_of(row: Element, words: Words) -> int:
    outside = [row.find(words("trPr", name)) for name in ("gridBefore", "gridAfter")]
    cells = (cell for cell in row.iter(words("tc")) if next(cell.iterancestors(words("tr"))) is row)
    covered = sum(cell_columns(cell, words) for cell in cells)
    return covered + sum(integer(each.get(words("val"))) for each in outside if each is not None)


def make_ids_unique(root: Element, words: Words, drawings: set[int]) -> None:
    """Change the IDs of images that the document has already, and remove what only the first copy can have.

    The IDs of the drawings of a filled part are added to those of the document.
    """
    for properties in root.iter("{*}docPr"):
        number = integer(properties.get("id"))
        if number < 1 or number in drawings:
            number = next(each for each in count(len(drawings) + 1) if each not in drawings)
            properties.set("id", str(number))
        drawings.add(number)
    seen: set[tuple[str, str, str | None]] = set()
    for element in list(root.iter(words("p"), words("tr"), words("id"), *words.all(*_MARKS))) if words.is_word else ():
        name = etree.QName(element).localname
        is_block = name in ("p", "tr")
        is_control = name == "id" and element.getparent().tag == words("sdtPr")  # type: ignore[union-attr]  # it has one
        identity = element.get(f"{_WORD_2010}paraId" if is_block else words("val" if is_control else "id"))
        if identity is None or (name == "id" and not is_control):
            continue
        key = "block" if is_block else name, identity, element.get(words("name"))
        if key not in seen:
            seen.discard((name.replace("Start", "End"), identity, None))  # some files have several bookmarks of an ID
            seen.add(key)
        elif is_block:
            for attribute in ("paraId", "textId"):
                element.attrib.pop(f"{_WORD_2010}{attribute}", None)
        else:
            remove(element)


PROPERTIES = "properties"
"""The label of the document's title, author and so on."""

MAX_REPORTED = 20
"""Missing values that an error names."""

_DRAWING_TEXT = '<a:p xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:r><a:t/></a:r></a:p>'
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def fill(content: bytes, data: Mapping[str, Any] | None, missing: MissingPolicy = "error") -> Filled:
    """Fill a template, a DOCX or DOTX, with data by name; without data, only list its fields.

    Raises:
        InvalidInput: The file is not a Word document, a tag is wrong, or a value is missing or does not fit.
    """
    file = WordFile(content)
    rendering = Rendering(data or {}, missing)
    parts = {
        name: _part(file.parse(name), label)
        for name, label in file.text_parts()
        if label == BODY or _has_tags(file, name)
    }
    core = file.core_properties if _has_tags(file, file.core_properties) else ""
    properties = file.parse(core) if core else etree.Element("none")
    titles = {each: _part(_paragraph(each.text), PROPERTIES) for each in properties if "{" in (each.text or "")}
    everything = [*parts.values(), *titles.values()]
    fields = _fields(everything)
    warnings: list[str] = []
    for part in everything:
        with _errors(part):
            part.place(rendering if data is not None and missing == "keep" else None)
        warnings += part.warnings
    if data is None:
        return Filled(fields, warnings=list(dict.fromkeys(warnings)))
    images = Images(file)
    untouched = (content for name, content in file.parts.items() if name.endswith(".xml") and name not in parts)
    drawings = {int(number) for content in untouched for number in _DRAWING_ID.findall(content)}
    for name, part in parts.items():
        root = _filled(part, Printer(file, name, part.words, images, rendering), rendering)
        if part.words.is_word:
            repair(root, part.words)
        make_ids_unique(root, part.words, drawings)
        file.write(name, root)
    for element, part in titles.items():
        root = _filled(part, Printer(file, core, part.words, images, rendering), rendering)
        element.text = "".join(root.itertext(part.words("t")))
    if titles:
        file.write(core, properties)
    if rendering.missing and missing == "error":
        names = list(rendering.missing)[:MAX_REPORTED]
        raise invalid([{"field": "data", "message": f"{name} is missing."} for name in names])
    roots = {field.name.partition(".")[0] for field in fields} | {field.name for field in fields}
    return Filled(
        fields,
        file.to_bytes(),
        unused=[name for name in data if name not in roots],
        blank=list(rendering.blank),
        warnings=list(dict.fromkeys(warnings)),
    )


def _has_tags(file: WordFile, name: str) -> bool:
    content = file.parts.get(name, b"")
    return b"{" in content or content.startswith(_UTF_16)


def _paragraph(text: str | None) -> etree._Element:
    """Return a property of the document as a paragraph, so that it can have all tags."""
    paragraph = etree.fromstring(_DRAWING_TEXT)
    paragraph[0][0].text = text
    return paragraph


def _part(root: etree._Element, label: str) -> Part:
    part = Part(root, label)
    with _errors(part):
        part.mark()
    return part


@contextmanager
def _errors(part: Part) -> Iterator[None]:
    """Turn the errors of a template into those of a call; they name the part, unless it is the body."""
    place = "" if part.label == BODY else part.label
    try:
        yield
    except LanguageError as error:
        raise InvalidInput(f"file: {error.sentence(place)}") from None
    except TooLargeError as error:
        raise InvalidInput(f"file: {error.reason}.") from None
    except DataError as error:
        tag = f", in {' '.join(error.tag.source.split())}" if error.tag else ""
        raise InvalidInput(f"data: {error.reason}{tag}{f' ({place})' if place else ''}.") from None


def _fields(parts: Sequence[Part]) -> list[TemplateField]:
    places: dict[str, dict[str, None]] = {}
    for part in parts:
        for field in list_fields(part.tags):
            places.setdefault(field.name, {})[part.label] = None
    fields = list_fields([tag for part in parts for tag in part.tags])
    return [TemplateField(field.name, field.kind, ", ".join(places[field.name])) for field in fields]


def _filled(part: Part, printer: Printer, rendering: Rendering) -> etree._Element:
    """Return the root of a part with the data."""
    rendering.show = printer.show
    with _errors(part):
        text = LANGUAGE.from_string(part.source()).fill(rendering)
    root = parse_xml(text.replace(BRACE, "{").encode(), part.label)
    printer.finish(root)
    return root
