"""The structure tree of tagged PDFs (ISO 32000-2, 14.7): joined under one root."""

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.objects import dictionaries, dictionary, is_true, items
from mediakit.engines.pdf.part import Feature, Part
from mediakit.engines.pdf.source import PageKey
from mediakit.engines.pdf.tag_names import TagNames
from mediakit.engines.pdf.tag_pruning import TagIndex
from mediakit.engines.pdf.trees import read_names, read_numbers, write_names, write_numbers

MARKS = (Name.Marked, Name.UserProperties, Name.Suspects)


class StructureTree(Feature):
    """Tags of all parts: one root, one parent tree, one role map."""

    key = "/StructTreeRoot"

    def __init__(self) -> None:
        self._root: pikepdf.Object | None = None
        self._trees: list[pikepdf.Object] = []
        self._next_key = 0
        self._marks: set[Name] = set()
        self._names = TagNames()
        self._language = ""
        self._untagged: list[Part] = []

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Renumber the links from content to tags, and rename what another tree has too."""
        root = part.source.root
        tree = root.get(Name.StructTreeRoot)
        language = str(root.get(Name.Lang, ""))
        if part.leads:
            self._language = language
        if not isinstance(tree, Dictionary):
            self._untagged.append(part)
            _remove_links(part)
            return None
        if not part.whole and not part.source.read_once(TagIndex).prune(part):
            _remove_links(part)
            return None
        if language and language != self._language:
            _set_language(tree, language)
        self._renumber(part, tree)
        self._names.prepare(tree)
        self._marks |= {key for key in MARKS if is_true(dictionary(root.get(Name.MarkInfo)), key)}
        return tree

    def attach(self, part: Part, copied: pikepdf.Object | None) -> None:  # noqa: ARG002
        """Move the tags below the first root."""
        if copied is None:
            return
        self._trees.append(copied)
        self._names.add(copied)
        if self._root is None:
            self._root = copied
            return
        tops = _tops(copied)
        for top in tops:
            if isinstance(top, Dictionary):
                top.P = self._root
        self._root.K = Array([*_tops(self._root), *tops])
        for key in (Name.Namespaces, Name.PronunciationLexicon, Name.AF):
            if add := items(copied.get(key)):
                self._root[key] = Array([*items(self._root.get(key)), *add])

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the tree."""
        if self._root is None:
            return
        if len(self._trees) > 1:
            self._finish_joined(pdf, self._root)
        pdf.Root.StructTreeRoot = self._root
        pdf.Root.MarkInfo = Dictionary({str(key): True for key in MARKS if key in self._marks})
        for part in self._untagged:
            part.source.warn("The file has no tags for screen readers, unlike others of the result.")

    def _finish_joined(self, pdf: pikepdf.Pdf, root: pikepdf.Object) -> None:
        parents = [entry for tree in self._trees for entry in read_numbers(tree.get(Name.ParentTree))]
        root.ParentTree = write_numbers(pdf, parents)
        root.ParentTreeNextKey = self._next_key
        if ids := [entry for tree in self._trees for entry in read_names(tree.get(Name.IDTree))]:
            root.IDTree = write_names(pdf, ids)
        self._names.write(root)

    def _renumber(self, part: Part, tree: pikepdf.Object) -> None:
        """Shift the keys of the parent tree past those in use."""
        offset = self._next_key
        entries = read_numbers(tree.get(Name.ParentTree))
        if not entries:
            return
        self._next_key = offset + entries[-1][0] + 1
        if offset:
            shifted = _shift_pages(part, offset)
            if {key for key, _ in entries} - shifted:
                _shift_streams(part, offset)
            tree.ParentTree = Dictionary(Nums=Array([item for key, value in entries for item in (key + offset, value)]))


def _shift_pages(part: Part, offset: int) -> set[int]:
    """Shift the keys of pages and annotations, and return the old ones."""
    found: set[int] = set()
    seen: set[PageKey] = set()
    for page in part.pages:
        found |= _shift(page, Name.StructParents, offset)
        for annotation in annotations(page):
            if annotation.is_indirect:
                if annotation.objgen in seen:
                    continue
                seen.add(annotation.objgen)
            found |= _shift(annotation, Name.StructParent, offset)
    return found


def _shift_streams(part: Part, offset: int) -> None:
    """Shift the keys of form XObjects and images."""
    for item in part.source.pdf.objects:
        if isinstance(item, Stream):
            _shift(item, Name.StructParents, offset)
            _shift(item, Name.StructParent, offset)


def _shift(item: pikepdf.Object, key: Name, offset: int) -> set[int]:
    number = item.get(key)
    if not isinstance(number, int):
        return set()
    item[key] = number + offset
    return {number}


def _remove_links(part: Part) -> None:
    """Remove links to tags that an untagged file has left."""
    if not any(Name.StructParents in page for page in part.pages):
        return
    for page in part.pages:
        if Name.StructParents in page:
            del page.StructParents
        for annotation in annotations(page):
            if Name.StructParent in annotation:
                del annotation.StructParent


def _tops(tree: pikepdf.Object) -> list[pikepdf.Object]:
    """Return the structure elements directly below the root."""
    top = tree.get(Name.K)
    if isinstance(top, Array):
        return list(top)
    return [] if top is None else [top]


def _set_language(tree: pikepdf.Object, language: str) -> None:
    for top in dictionaries(Array(_tops(tree))):
        if Name.Lang not in top:
            top.Lang = pikepdf.String(language)
