"""Footnotes, endnotes and comments of Word: what a mark in the text refers to."""

from dataclasses import dataclass
from functools import partial

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.docx.blocks import BlockReader
from mediakit.tools.documents.document_to_markdown.readers.docx.context import WordContext
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import prepend_text
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import Element, W


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
