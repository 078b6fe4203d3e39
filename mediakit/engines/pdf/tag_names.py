"""Names that structure trees define: roles, attribute classes and element identifiers."""

from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import free_name
from mediakit.engines.pdf.objects import Visited, dictionaries, dictionary
from mediakit.engines.pdf.trees import read_names

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
        ids = self._id_clashes(tree)
        if not (roles or classes or ids):
            return
        for element in elements(tree):
            _rename(element, roles, classes, ids)
        for key, names in ((Name.RoleMap, roles), (Name.ClassMap, classes)):
            if names:
                tree[key] = Dictionary({names.get(name, name): value for name, value in tree[key].items()})
        if ids:
            entries = [(ids.get(name, name), value) for name, value in read_names(tree.IDTree)]
            tree.IDTree = Dictionary(Names=Array([item for name, value in entries for item in (String(name), value)]))

    def add(self, tree: pikepdf.Object) -> None:
        """Take the names of a copied tree."""
        for known, key in ((self._roles, Name.RoleMap), (self._classes, Name.ClassMap)):
            for name, value in dictionary(tree.get(key)).items():
                known.setdefault(name, value)
        self._ids |= {name for name, _ in read_names(tree.get(Name.IDTree))}

    def write(self, root: pikepdf.Object) -> None:
        """Write the joined maps."""
        if self._roles:
            root.RoleMap = Dictionary(self._roles)
        if self._classes:
            root.ClassMap = Dictionary(self._classes)

    def _id_clashes(self, tree: pikepdf.Object) -> dict[bytes, bytes]:
        if not self._ids:
            return {}
        names = [name for name, _ in read_names(tree.get(Name.IDTree))]
        taken = self._ids | set(names)
        return {name: free_name(name, taken) for name in names if name in self._ids}


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
    return {name: f"/{free_name(name[1:].encode(), {t[1:].encode() for t in taken}).decode()}" for name in clashing}


def _rename(element: pikepdf.Object, roles: dict[str, str], classes: dict[str, str], ids: dict[bytes, bytes]) -> None:
    if (role := roles.get(str(element.S))) is not None:
        element.S = Name(role)
    if classes and Name.C in element:
        element.C = _renamed_classes(element.C, classes)
    if ids:
        if isinstance(name := element.get(Name.ID), String) and bytes(name) in ids:
            element.ID = String(ids[bytes(name)])
        _rename_headers(element.get(Name.A), ids)


def _renamed_classes(value: pikepdf.Object, classes: dict[str, str]) -> pikepdf.Object:
    if isinstance(value, Array):
        return Array([_renamed_classes(item, classes) for item in value])
    return Name(classes.get(str(value), str(value))) if isinstance(value, Name) else value


def _rename_headers(attributes: object, ids: dict[bytes, bytes]) -> None:
    """Rename the identifiers by which table cells name their headers."""
    for owner in dictionaries(attributes) or [dictionary(attributes)]:
        headers = owner.get(Name.Headers)
        if isinstance(headers, Array):
            owner.Headers = Array(
                [String(ids.get(bytes(item), bytes(item))) if isinstance(item, String) else item for item in headers]
            )
