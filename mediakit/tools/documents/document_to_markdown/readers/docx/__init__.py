"""Word documents: DOCX, DOCM, DOTX and DOTM (ISO/IEC 29500-1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from lxml.html import HtmlElement

from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.docx.body import BlockReader
from mediakit.tools.documents.document_to_markdown.readers.docx.numbering import Numbering
from mediakit.tools.documents.document_to_markdown.readers.docx.parts import WordContext
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import Styles
from mediakit.tools.documents.document_to_markdown.readers.office import Element, R, W
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors, new_element, prepend_text
from mediakit.tools.documents.document_to_markdown.readers.office.package import OfficePackage


@dataclass(frozen=True, slots=True)
class _NoteKind:
    part: str
    element: str
    prefix: str = ""


_KINDS: dict[object, _NoteKind] = {
    f"{W}footnoteReference": _NoteKind("footnotes", f"{W}footnote"),
    f"{W}endnoteReference": _NoteKind("endnotes", f"{W}endnote"),
    f"{W}commentReference": _NoteKind("comments", f"{W}comment", "c"),
}


class WordNotes:
    """The notes of a document. Instances are functions that return the reference to the note of a mark."""

    def __init__(self, context: WordContext) -> None:
        self._context = context
        self._notes: dict[str, tuple[str, dict[str, Element]]] = {}

    def __call__(self, mark: Element) -> HtmlElement | None:
        """Return the reference to a note. None if it does not exist or is not read."""
        kind, options = _KINDS[mark.tag], self._context.options
        if not (options.comments if kind.prefix else options.notes):
            return None
        identifier = mark.get(f"{W}id") or ""
        part, notes = self._part(kind)
        note = notes.get(identifier)
        if note is None:
            return None
        read = partial(self._read, part, note)
        return self._context.notes.reference(f"{kind.part} {identifier}", read, kind.prefix)

    def _part(self, kind: _NoteKind) -> tuple[str, dict[str, Element]]:
        """Return the name of the part with the notes of a kind, and its notes by identifier."""
        if kind.part not in self._notes:
            package = self._context.package
            name = package.related(package.main, kind.part) or ""
            root = package.xml(name) if name else None
            notes = {} if root is None else {note.get(f"{W}id") or "": note for note in root.iter(kind.element)}
            self._notes[kind.part] = name, notes
        return self._notes[kind.part]

    def _read(self, part: str, note: Element, item: HtmlElement) -> None:
        BlockReader(self._context, part, self).read(note, item)
        author = note.get(f"{W}author")
        if author:
            prepend_text(item, f"{author}: ")


_WORD = re.compile(r"[^\s\"\\]+")


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a Word document. Tracked changes are accepted; macros, linked files and templates are not opened.

    Raises:
        InvalidInput: The document is damaged.
    """
    package = OfficePackage(content, "word/document.xml")
    main = package.xml(package.main)
    body = None if main is None else main.find(f"{W}body")
    if body is None:
        raise InvalidInput("file: is a damaged Word document that has no text.")
    context = _context(package, body, options)
    root = new_element("div")
    notes = WordNotes(context)
    reader = BlockReader(context, package.main, notes)
    if options.headers:
        _read_edges(context, body, root, "headerReference")
    reader.read(body, root)
    if options.headers:
        _read_edges(context, body, root, "footerReference")
    context.notes.append_to(root)
    context.anchors.resolve(root)
    document = Document(root, images=context.images.images, warnings=context.warnings.sentences)
    package.describe(document)
    return document


def _context(package: OfficePackage, body: Element, options: ReadOptions) -> WordContext:
    styles = Styles(_related(package, "styles"))
    numbering = Numbering(_related(package, "numbering"), styles)
    return WordContext(package, styles, numbering, options, Anchors(_linked_bookmarks(body)))


def _related(package: OfficePackage, kind: str) -> Element | None:
    """Return the root of the part of a kind that the text refers to. None if there is none."""
    name = package.related(package.main, kind)
    return package.xml(name) if name else None


def _linked_bookmarks(body: Element) -> Iterator[str]:
    """Yield the names of the bookmarks that links of the text point to, among other words of instructions."""
    for link in body.iter(f"{W}hyperlink"):
        yield link.get(f"{W}anchor") or ""
    instructions = [instruction.text or "" for instruction in body.iter(f"{W}instrText")]
    instructions += [f" {field.get(f'{W}instr')} " for field in body.iter(f"{W}fldSimple")]
    yield from _WORD.findall("".join(instructions))


def _read_edges(context: WordContext, body: Element, root: HtmlElement, kind: str) -> None:
    """Read the headers or the footers of all sections, each part and each text once."""
    relationships = context.package.relationships(context.package.main)
    parts = (relationships.get(reference.get(f"{R}id") or "") for reference in body.iter(f"{W}{kind}"))
    written: set[str] = set()
    for part in dict.fromkeys(part.target for part in parts if part and not part.is_external):
        edge = context.package.xml(part)
        if edge is None:
            continue
        block = new_element("div")
        BlockReader(context, part).read(edge, block)
        text = block.text_content().strip()
        if text and text not in written:
            written.add(text)
            root.append(block)
