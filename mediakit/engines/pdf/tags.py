"""Structure trees of tagged PDFs (ISO 32000-2, 14.7): joined under one root, without the elements of omitted pages.

A tree is read once. For each element it is noted, as one bit a page, on which pages its content is, so that a part
visits only elements with content inside and outside of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import count
from operator import or_
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.destinations import Feature, Part, annotations, free_name, pages_of_annotations
from mediakit.engines.pdf.objects import (
    Visited,
    delete,
    dictionaries,
    dictionary,
    dictionary_of,
    flat_names,
    is_true,
    items,
    key_of,
    one_or_more,
    read_names,
    read_number_tree,
    refers_to,
    text_of,
    write_names,
    write_number_tree,
)
from mediakit.engines.pdf.opening import PageKey, Source

MAX_ELEMENTS = 500_000
"""Structure elements whose names are rewritten."""


class TagNames:
    """The names of all trees; one that another tree defines otherwise is renamed."""

    def __init__(self) -> None:
        self._roles: dict[str, pikepdf.Object] = {}
        self._classes: dict[str, pikepdf.Object] = {}
        self._ids: set[bytes] = set()

    def prepare(self, tree: pikepdf.Object) -> None:
        """Rename, in a tree that is still to be copied, the names that are taken."""
        roles = _clashes(self._roles, dictionary(tree.get(Name.RoleMap)))
        classes = _clashes(self._classes, dictionary(tree.get(Name.ClassMap)))
        names = [name for name, _ in read_names(tree.get(Name.IDTree))] if self._ids else []
        taken = self._ids.union(names)
        ids = {name: free_name(name, taken) for name in names if name in self._ids}
        if not (roles or classes or ids):
            return
        for element in elements(tree):
            _rename(element, roles, classes, ids)
        for key, new in ((Name.RoleMap, roles), (Name.ClassMap, classes)):
            if new:
                tree[key] = dictionary_of({new.get(name, name): value for name, value in tree[key].items()})
        if ids:
            renamed = flat_names((ids.get(name, name), value) for name, value in read_names(tree.IDTree))
            tree.IDTree = Dictionary(Names=renamed)

    def add(self, tree: pikepdf.Object) -> None:
        """Take the names of a copied tree."""
        for known, key in ((self._roles, Name.RoleMap), (self._classes, Name.ClassMap)):
            for name, value in dictionary(tree.get(key)).items():
                known.setdefault(name, value)
        self._ids |= {name for name, _ in read_names(tree.get(Name.IDTree))}

    def write(self, root: pikepdf.Object) -> None:
        """Write the joined maps."""
        if self._roles:
            root.RoleMap = dictionary_of(self._roles)
        if self._classes:
            root.ClassMap = dictionary_of(self._classes)


def elements(tree: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """Yield the structure elements of a tree, each once."""
    waiting, visited = [tree.get(Name.K)], Visited()
    while waiting and visited.count < MAX_ELEMENTS:
        node = waiting.pop()
        if isinstance(node, Array):
            waiting += list(node)
        elif isinstance(node, Dictionary) and Name.S in node and visited.add(node):
            yield node
            waiting.append(node.get(Name.K))


def _clashes(known: dict[str, pikepdf.Object], names: pikepdf.Object) -> dict[str, str]:
    taken = known.keys() | names.keys()
    clashing = [name for name, value in names.items() if name in known and known[name] != value]
    return {name: next(new for number in count(2) if (new := f"{name}_{number}") not in taken) for name in clashing}


def _rename(element: pikepdf.Object, roles: dict[str, str], classes: dict[str, str], ids: dict[bytes, bytes]) -> None:
    if (role := roles.get(str(element.S))) is not None:
        element.S = Name(role)
    if classes and Name.C in element:
        element.C = _renamed_classes(element.C, classes)
    if ids:
        if isinstance(name := element.get(Name.ID), String) and bytes(name) in ids:
            element.ID = String(ids[bytes(name)])
        attributes = element.get(Name.A)
        for owner in dictionaries(attributes) or [dictionary(attributes)]:  # table cells name their headers
            if isinstance(headers := owner.get(Name.Headers), Array):
                owner.Headers = Array(
                    [
                        String(ids.get(bytes(each), bytes(each))) if isinstance(each, String) else each
                        for each in headers
                    ]
                )


def _renamed_classes(value: pikepdf.Object, classes: dict[str, str]) -> pikepdf.Object:
    if isinstance(value, Array):
        return Array([_renamed_classes(item, classes) for item in value])
    return Name(classes[key]) if (key := key_of(value)) in classes else value


@dataclass(slots=True)
class _Node:
    """The root, a structure element, or its content: marked content or an object."""

    item: Any
    page: int | None = None
    """Index of the page of an element's content, own or inherited."""
    pages: int = 0
    """The pages of its content, a bit for each; 0 if there is none."""
    is_element: bool = False
    kids: list["_Node"] = field(default_factory=list)
    seen_twice: bool = False
    """Whether it has children that were read elsewhere in the tree."""

    def close(self) -> None:
        """Note the pages of an element, when those of its children are known.

        What is empty, such as a cell of a table, belongs to the pages of its neighbor.
        """
        self.pages = reduce(or_, (kid.pages for kid in self.kids), 0)
        neighbor = next((kid.pages for kid in self.kids if kid.pages), 0)
        for kid in self.kids:
            neighbor = kid.pages = kid.pages or neighbor
        if not self.pages and self.page is not None and Name.Pg in self.item:
            self.pages = 1 << self.page


class TagIndex:
    """The structure tree of a PDF, and on which pages its elements are."""

    def __init__(self, source: Source) -> None:
        self._tree: pikepdf.Object = source.root.StructTreeRoot
        self._numbers = source.page_numbers
        self._annotations = source.read_once(pages_of_annotations)
        self._pages: dict[PageKey, int] = {}
        self._top = _Node(self._tree)
        self._read()
        self._parents = [
            (key, value, self._pages_of(value)) for key, value in read_number_tree(self._tree.get(Name.ParentTree))
        ]
        self._names = [(name, value, self._pages_of(value)) for name, value in read_names(self._tree.get(Name.IDTree))]

    def prune(self, part: Part) -> bool:
        """Keep the elements that hold content of a kept page, and their ancestors; return whether there are any."""
        waiting = [self._top]
        while waiting:
            node = waiting.pop()
            kept = [kid for kid in node.kids if not kid.pages or kid.pages & part.mask]
            if len(kept) < len(node.kids) or node.seen_twice:
                part.changes.set(node.item, Name.K, Array([kid.item for kid in kept]))
            if node.page is not None and not part.mask >> node.page & 1 and Name.Pg in node.item:
                part.changes.remove(node.item, Name.Pg)
            waiting += [kid for kid in kept if kid.is_element and (kid.pages & ~part.mask or kid.seen_twice)]
        gone = self._forget_links(part)
        alive = [(key, value) for key, value, pages in self._parents if pages & part.mask and key not in gone]
        parents = [item for key, value in alive for item in (key, self._alive(value, part.mask))]
        names = flat_names((name, value) for name, value, pages in self._names if pages & part.mask)
        part.changes.set(self._tree, Name.ParentTree, Dictionary(Nums=Array(parents)))
        if Name.IDTree in self._tree:
            part.changes.set(self._tree, Name.IDTree, Dictionary(Names=names) if len(names) else None)
        return any(kid.pages & part.mask for kid in self._top.kids)

    def _forget_links(self, part: Part) -> set[object]:
        """Remove links that were removed from the elements that hold them, and return their keys."""
        keys: dict[object, PageKey] = {}
        for link in part.removed_links:
            if Name.StructParent in link:
                keys[link.StructParent] = link.objgen
        for key, element, _ in self._parents:
            if key in keys and isinstance(element, Dictionary):
                kept = [kid for kid in one_or_more(element.get(Name.K)) if not refers_to(kid, keys[key])]
                part.changes.set(element, Name.K, Array(kept))
        return set(keys)

    def _read(self) -> None:
        """Read the tree without recursion: hostile trees are deep."""
        order = [self._top]
        for parent in order:  # grows
            for value in one_or_more(parent.item.get(Name.K)):
                is_content = not isinstance(value, Dictionary) or value.get(Name.Type) in (Name.MCR, Name.OBJR)
                if is_content or Name.S not in value:
                    parent.kids.append(_Node(value, pages=self._pages_of_content(value, parent.page)))
                    continue
                if value.is_indirect:
                    if value.objgen in self._pages:
                        parent.seen_twice = True
                        continue
                    self._pages[value.objgen] = 0
                own = self._page(value)
                node = _Node(value, parent.page if own is None else own, is_element=True)
                parent.kids.append(node)
                order.append(node)
        for element in reversed(order):
            element.close()
            if element.item.is_indirect:
                self._pages[element.item.objgen] = element.pages

    def _pages_of_content(self, content: object, page: int | None) -> int:
        """Return the page of marked content or of an annotation."""
        if isinstance(content, Dictionary):
            own = self._page(content)
            target = content.get(Name.Obj)
            if own is None and isinstance(target, Dictionary) and target.objgen in self._annotations:
                return self._annotations[target.objgen]
            page = page if own is None else own
        return 0 if page is None else 1 << page

    def _page(self, element: pikepdf.Object) -> int | None:
        page = element.get(Name.Pg)
        return self._numbers.get(page.objgen) if isinstance(page, Dictionary) else None

    def _pages_of(self, value: object) -> int:
        """Return the pages of the elements in an entry of the parent tree or the tree of identifiers."""
        if isinstance(value, Array):
            return reduce(or_, map(self._pages_of, value), 0)
        return self._pages.get(value.objgen, 0) if isinstance(value, Dictionary) else 0

    def _alive(self, value: Any, mask: int) -> Any:
        """Return an entry of the parent tree with null for elements that are removed."""
        if not isinstance(value, Array) or all(self._pages_of(item) & mask for item in value):
            return value
        return Array([item if self._pages_of(item) & mask else None for item in value])


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
        language = text_of(root.get(Name.Lang))
        if part.leads:
            self._language = language
        if not isinstance(tree, Dictionary):
            self._untagged.append(part)
            _remove_links(part)
            return None
        if not part.whole and not part.source.read_once(TagIndex).prune(part):
            _remove_links(part)
            return None
        for top in one_or_more(tree.get(Name.K)) if language and language != self._language else ():
            if isinstance(top, Dictionary) and Name.Lang not in top:
                top.Lang = String(language)
        self._renumber(part, tree)
        self._names.prepare(tree)
        self._marks |= {key for key in MARKS if is_true(dictionary(root.get(Name.MarkInfo)), key)}
        return tree

    def attach(self, part: Part, copied: pikepdf.Object) -> None:  # noqa: ARG002
        """Move the tags below the first root."""
        self._trees.append(copied)
        self._names.add(copied)
        if self._root is None:
            self._root = copied
            return
        tops = one_or_more(copied.get(Name.K))
        for top in tops:
            if isinstance(top, Dictionary):
                top.P = self._root
        self._root.K = Array([*one_or_more(self._root.get(Name.K)), *tops])
        for key in (Name.Namespaces, Name.PronunciationLexicon, Name.AF):
            if add := items(copied.get(key)):
                self._root[key] = Array([*items(self._root.get(key)), *add])

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the tree."""
        if self._root is None:
            return
        if len(self._trees) > 1:
            parents = [entry for tree in self._trees for entry in read_number_tree(tree.get(Name.ParentTree))]
            self._root.ParentTree = write_number_tree(pdf, parents)
            self._root.ParentTreeNextKey = self._next_key
            if ids := [entry for tree in self._trees for entry in read_names(tree.get(Name.IDTree))]:
                self._root.IDTree = write_names(pdf, ids)
            self._names.write(self._root)
        pdf.Root.StructTreeRoot = self._root
        pdf.Root.MarkInfo = Dictionary({str(key): True for key in MARKS if key in self._marks})
        for part in self._untagged:
            part.source.warn("The file has no tags for screen readers, unlike others of the result.")

    def _renumber(self, part: Part, tree: pikepdf.Object) -> None:
        """Shift the keys of the parent tree past those in use."""
        offset = self._next_key
        entries = read_number_tree(tree.get(Name.ParentTree))
        if not entries:
            return
        self._next_key = offset + entries[-1][0] + 1
        if offset:
            shifted = _shift_pages(part, offset)
            if {key for key, _ in entries} - shifted:  # those of form XObjects and images
                for item in part.source.pdf.objects:
                    if isinstance(item, Stream):
                        _shift(item, Name.StructParents, offset)
                        _shift(item, Name.StructParent, offset)
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
        delete(page, "/StructParents")
        for annotation in annotations(page):
            delete(annotation, "/StructParent")
