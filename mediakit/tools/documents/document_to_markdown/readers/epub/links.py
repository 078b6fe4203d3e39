"""Links between the chapters of an EPUB, and its notes."""

import posixpath
from functools import partial

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.epub.package import resolve
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import NoteList, heading_slugs, new_element

_FOOTNOTES = frozenset(("footnote", "note"))
"""Kinds of notes beside the text. Endnotes are in chapters or sections of their own, where they stay."""

_REFERENCES = frozenset(("noteref",))
_ENDNOTES = frozenset(("endnote", "rearnote"))
_SECTIONS = ("section", "article", "header")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


class Links:
    """Collects the targets of all chapters, and then sets the addresses of links to them."""

    def __init__(self, notes: bool) -> None:  # noqa: FBT001  # the option of the same name
        self._reads_notes = notes
        self._targets: dict[str, HtmlElement] = {}
        """Elements by path, and by path and fragment."""
        self._links: list[tuple[HtmlElement, str]] = []
        """Links inside the publication, and the key of their target."""
        self._notes = NoteList()

    def add_chapter(self, path: str, page: HtmlElement) -> None:
        """Collect the links and targets of a chapter."""
        self._targets[path] = page
        for element in page.iter():
            name = element.get("id") if isinstance(element.tag, str) else None
            if name:
                self._targets[f"{path}#{name}"] = element
        for link in page.iter("a"):
            name = link.get("name")
            if name:
                self._targets.setdefault(f"{path}#{name}", link)
            self._add_link(link, path)

    def _add_link(self, link: HtmlElement, path: str) -> None:
        reference = link.get("href") or ""
        target, separator, fragment = reference.partition("#")
        if not reference or ":" in target or target.startswith("//"):
            return
        key = resolve(posixpath.dirname(path), target) if target else path
        self._links.append((link, f"{key}#{fragment}" if separator and fragment else key))

    def finish(self, body: HtmlElement) -> None:
        """Set the addresses of all links, and move the notes to the end."""
        links = [(link, key) for link, key in self._links if not self._is_note_reference(link, key)]
        removed = _FOOTNOTES if self._reads_notes else _FOOTNOTES | _ENDNOTES
        for key, element in self._targets.items():
            if "#" in key and _is_note(element, removed) and element.getparent() is not None:
                element.drop_tree()
        self._notes.append_to(body)
        slugs = heading_slugs(body)
        written: set[str] = set()
        for link, key in links:
            self._set_address(link, key, slugs, written)

    def _is_note_reference(self, link: HtmlElement, key: str) -> bool:
        """Replace a reference to a note, and return whether the link was one."""
        target = self._targets.get(key)
        if target is None or not (_is_note(target) or (not self._reads_notes and _is_note(target, _ENDNOTES))):
            return False
        if not _is_note(link, _REFERENCES):
            return False
        reference = self._notes.reference(key, partial(_move_note, target)) if self._reads_notes else None
        if reference is not None:
            link.addprevious(reference)
        link.text = None
        for child in list(link):
            link.remove(child)
        link.drop_tree()
        return True

    def _set_address(self, link: HtmlElement, key: str, slugs: dict[HtmlElement, str], written: set[str]) -> None:
        target = self._targets.get(key)
        if target is None:
            link.attrib.pop("href", None)
            return
        path, _, fragment = key.partition("#")
        heading = _heading_of(target, is_chapter=not fragment)
        if heading is not None and heading in slugs:
            link.set("href", f"#{slugs[heading]}")
            return
        name = f"{posixpath.basename(path)}_{fragment}" if fragment else posixpath.basename(path)
        link.set("href", f"#{name}")
        if name not in written:
            written.add(name)
            _write_anchor(target, name)


def _is_note(element: HtmlElement, kinds: frozenset[str] = _FOOTNOTES) -> bool:
    """Return whether an element is a note by its type (EPUB 3) or its role (DPUB-ARIA)."""
    found = {*(element.get("epub:type") or "").split(), (element.get("role") or "").removeprefix("doc-")}
    return not kinds.isdisjoint(found)


def _move_note(note: HtmlElement, item: HtmlElement) -> None:
    item.text = note.text
    for child in list(note):
        item.append(child)


def _heading_of(target: HtmlElement, *, is_chapter: bool) -> HtmlElement | None:
    """Return the heading that a target is, is in, or begins with."""
    for element in (target, *target.iterancestors()):
        if element.tag in _HEADINGS:
            return element
    first = next(target.iter(*_HEADINGS), None)
    return first if is_chapter or target.tag in _SECTIONS else None


def _write_anchor(target: HtmlElement, name: str) -> None:
    anchor = new_element("a")
    anchor.set("data-anchor", name)
    if target.tag == "a" and not len(target) and not (target.text or "").strip():
        target.addprevious(anchor)
    else:
        anchor.tail, target.text = target.text, None
        target.insert(0, anchor)
