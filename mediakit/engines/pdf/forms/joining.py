"""Form fields and layers of several PDFs in one.

Fields are joined, never merged: one whose name is taken gets a new one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count
from operator import or_

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import EVERYWHERE, Feature, Part, annotations, pages_of_annotations
from mediakit.engines.pdf.objects import (
    RAW,
    Visited,
    ancestry,
    delete,
    dictionaries,
    dictionary,
    dictionary_of,
    fields_of,
    is_true,
    items,
)
from mediakit.engines.pdf.opening import Source


def rename_clashing_resources(first: pikepdf.Object, form: pikepdf.Object) -> None:
    """Rename resources of a form, also in default appearances, where the first form has others of the same name."""
    mine, theirs = dictionary(first.get(Name.DR)), dictionary(form.get(Name.DR))
    renamed: dict[str, str] = {}
    for category, add in theirs.items():
        have = mine.get(category)
        if isinstance(have, Dictionary) and isinstance(add, Dictionary):
            taken = {*have.keys(), *add.keys()}
            for key, value in add.items():
                if key in have and not _alike(have[key], value):
                    names = (f"{key}_{number}" for number in count(2))
                    renamed[key] = next(name for name in names if name not in taken)
            theirs[category] = dictionary_of({renamed.get(key, key): value for key, value in add.items()})
    if not renamed:
        return
    new = {old.encode(*RAW): name.encode(*RAW) for old, name in renamed.items()}
    pattern = re.compile(b"(?:" + b"|".join(map(re.escape, new)) + rb")(?=\s|$)")
    for node in (form, *(field.item for field in fields_of(form))):
        if isinstance(appearance := node.get(Name.DA), String):
            node.DA = String(pattern.sub(lambda match: new[match[0]], bytes(appearance)))


def join_resources(first: pikepdf.Object, form: pikepdf.Object) -> None:
    """Add the resources of a copied form to those of the first."""
    if Name.DR not in first:
        first.DR = Dictionary()
    for category, add in dictionary(form.get(Name.DR)).items():
        have = first.DR.get(category)
        if isinstance(have, Dictionary) and isinstance(add, Dictionary):
            for key in add.keys() - have.keys():
                have[key] = add[key]
        elif have is None:
            first.DR[category] = add


def _alike(one: pikepdf.Object, other: pikepdf.Object) -> bool:
    """Return whether two resources draw the same; two standard fonts of one name do."""
    if isinstance(one, Dictionary) and isinstance(other, Dictionary):
        fonts = (one.get(Name.BaseFont), other.get(Name.BaseFont))
        if fonts[0] is not None and Name.FontDescriptor not in one and Name.FontDescriptor not in other:
            return bool(fonts[0] == fonts[1])
    return bool(one == other)


MAX_DEPTH = 50
"""Levels of a field tree that are read; deeper fields are dropped."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A field, or a widget of a field."""

    item: pikepdf.Object
    kids: Sequence["_Node"]
    pages: int
    """The pages of its widgets, a bit for each."""


def read_fields(source: Source) -> list[_Node]:
    """Return the form fields of a PDF, and on which pages their widgets are."""
    widgets, visited = source.read_once(pages_of_annotations), Visited()

    def read(fields: Sequence[pikepdf.Object], depth: int) -> list[_Node]:
        nodes = []
        for field in [each for each in fields if isinstance(each, Dictionary) and visited.add(each)]:
            found = items(field.get(Name.Kids))
            kids = read(found, depth + 1) if depth < MAX_DEPTH else []
            pages = EVERYWHERE
            if found:
                pages = reduce(or_, (kid.pages for kid in kids), 0)
            elif field.get(Name.Subtype) == Name.Widget or Name.Rect in field:
                pages = widgets.get(field.objgen, 0)
            nodes.append(_Node(field, kids, pages))
        return nodes

    return read(items(source.root.AcroForm.get(Name.Fields)), 0)


def prune(part: Part, form: pikepdf.Object) -> None:
    """Keep the fields of a form that have a widget on a kept page, or none at all."""
    kept = _kept(part, part.source.read_once(read_fields))
    part.changes.set(form, Name.Fields, Array([node.item for node in kept]))
    if isinstance(order := form.get(Name.CO), Array):
        nodes = list(kept)
        for node in nodes:  # grows
            nodes += [kid for kid in node.kids if kid.pages & part.mask]
        alive = {node.item.objgen for node in nodes}
        calculated = [field for field in dictionaries(order) if field.objgen in alive]
        part.changes.set(form, Name.CO, Array(calculated))


def _kept(part: Part, nodes: Sequence[_Node]) -> list[_Node]:
    """Return the nodes that are kept, without the children that are not."""
    kept = [node for node in nodes if node.pages & part.mask]
    for node in kept:
        if node.kids and node.pages & ~part.mask:
            part.changes.set(node.item, Name.Kids, Array([kid.item for kid in _kept(part, node.kids)]))
    return kept


_LISTS = (Name.Order, Name.ON, Name.OFF, Name.Locked, Name.RBGroups, Name.AS)
"""Lists of a configuration that name layers."""


class Layers(Feature):
    """Layers of all parts, each shown or hidden as in its own file."""

    key = "/OCProperties"

    def __init__(self) -> None:
        self._joined: pikepdf.Object | None = None

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Return the layers with a configuration that hides by list alone."""
        layers = part.source.root.get(Name.OCProperties)
        if not isinstance(layers, Dictionary):
            return None
        default = layers.get(Name.D)
        if isinstance(default, Dictionary) and default.get(Name.BaseState) == Name.OFF:
            del default.BaseState
            shown = {group.objgen for group in dictionaries(default.get(Name.ON))}
            default.OFF = Array([group for group in dictionaries(layers.get(Name.OCGs)) if group.objgen not in shown])
        return layers

    def attach(self, part: Part, copied: pikepdf.Object) -> None:  # noqa: ARG002
        """Join the layers."""
        if self._joined is None:
            self._joined = copied
            return
        _extend(self._joined, copied, Name.OCGs)
        _extend(self._joined, copied, Name.Configs)
        mine, theirs = self._joined.get(Name.D), copied.get(Name.D)
        if not isinstance(mine, Dictionary):
            self._joined.D = theirs if isinstance(theirs, Dictionary) else Dictionary()
        elif isinstance(theirs, Dictionary):
            for key in _LISTS:
                _extend(mine, theirs, key)

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the layers."""
        if self._joined is not None:
            pdf.Root.OCProperties = self._joined


def _extend(one: pikepdf.Object, other: pikepdf.Object, key: Name) -> None:
    if add := items(other.get(key)):
        one[key] = Array([*items(one.get(key)), *add])


GROUP_KEYS = frozenset({"/T", "/Kids", "/Parent", "/TU", "/TM"})
"""Keys of a field that only groups others."""

INHERITED = (Name.FT, Name.Ff, Name.V, Name.DV, Name.DA, Name.Q, Name.MaxLen, Name.Opt)
"""What a field takes from its ancestors."""


class FormFields(Feature):
    """The form of all parts."""

    key = "/AcroForm"

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.renamed: dict[str, str] = {}
        """Full names of renamed fields, old to new; of several fields with one old name, the first."""
        self.latest: dict[str, str] = {}
        """Full names of the fields that were renamed in the latest part, old to new."""
        self._pdf = pdf
        self._form: pikepdf.Object | None = None
        self._known: dict[str, pikepdf.Object] = {}
        self._order: list[pikepdf.Object] = []

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Rename the fields whose names are taken, and remove those of pages that are omitted."""
        self.latest = {}
        form = part.source.root.get(Name.AcroForm)
        if not isinstance(form, Dictionary):
            return None
        if Name.XFA in form:
            del form.XFA
            part.source.warn("The XFA version of the form was removed; the form fields stay.")
        fields = form.get(Name.Fields)
        if not isinstance(fields, Array):
            form.Fields = fields = Array()
        if not part.whole:
            prune(part, form)
            shown = (item for page in part.pages for item in annotations(page))
            if not len(form.Fields) and all(item.get(Name.Subtype) != Name.Widget for item in shown):
                return None
        self._rename(form.Fields, "", part)
        if self._form is not None:
            rename_clashing_resources(self._form, form)
            for key in (Name.DA, Name.Q):  # the first form may have other defaults
                if key in form and form[key] != self._form.get(key):
                    for field in dictionaries(form.Fields):
                        field[key] = field.get(key, form[key])
        return form

    def attach(self, part: Part, copied: pikepdf.Object) -> None:  # noqa: ARG002
        """Take the fields."""
        fields = list(copied.Fields)
        if self._form is None:
            self._form = copied
            copied.Fields = self._pdf.make_indirect(Array())
        else:
            join_resources(self._form, copied)
            if is_true(copied, Name.NeedAppearances):
                self._form.NeedAppearances = True
        if isinstance(order := copied.get(Name.CO), Array):
            self._order += list(order)
        self._join(fields, "", self._form.Fields, None)

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the form."""
        if self._form is not None:
            if self._order:
                self._form.CO = Array(self._order)
            pdf.Root.AcroForm = self._form

    def repeat(self, page: pikepdf.Object) -> None:
        """Make fields of their own for the widgets of a page that was copied within the result."""
        made: dict[tuple[int, int], pikepdf.Object] = {}
        for widget in annotations(page):
            if widget.get(Name.Subtype) != Name.Widget or self._form is None:
                continue
            parent = widget.get(Name.Parent)
            if Name.T in widget or not isinstance(parent, Dictionary):
                self._add_copy(widget, widget)
                continue
            if parent.objgen not in made:
                made[parent.objgen] = self._pdf.make_indirect(Dictionary(Kids=Array()))
                self._add_copy(made[parent.objgen], parent)
            widget.Parent = made[parent.objgen]
            widget.Parent.Kids.append(widget)

    def _add_copy(self, field: pikepdf.Object, original: pikepdf.Object) -> None:
        names = []
        for ancestor in ancestry(original):
            for key in INHERITED:
                if key in ancestor and key not in field:
                    field[key] = ancestor[key]
            if Name.T in ancestor:
                names.append(str(ancestor.T))
        if not names or self._form is None:
            return
        delete(field, "/Parent")
        name = self._free(names[0], "", set())
        field.T = String(name)
        self._note(".".join(reversed(names)), name)
        self._known[name] = field
        self._form.Fields.append(field)

    def _rename(self, fields: pikepdf.Object, prefix: str, part: Part, depth: int = 0) -> None:
        own = {name for field in fields if (name := _name(field)) is not None}
        for field in fields:
            name = _name(field)
            known = None if name is None else self._known.get(prefix + name)
            if name is None or known is None:
                continue
            if _is_group(field) and _is_group(known) and depth < MAX_DEPTH:
                self._rename(field.Kids, f"{prefix}{name}.", part, depth + 1)
                continue
            free = self._free(name, prefix, own)
            own.add(free)
            field.T = String(free)
            named = dict(_named(field, ""))
            for full in named:  # only the lowest fields hold values
                if not any(other.startswith(f"{full}.") for other in named):
                    self._note(prefix + name + full[len(free) :], prefix + full)

    def _join(
        self,
        fields: list[pikepdf.Object],
        prefix: str,
        target: pikepdf.Object,
        parent: pikepdf.Object | None,
        depth: int = 0,
    ) -> None:
        for field in fields:
            name = _name(field)
            known = None if name is None else self._known.get(prefix + name)
            if (
                name is not None
                and known is not None
                and depth < MAX_DEPTH
                and _is_group(known)
                and _is_group(field)
                and known.objgen != field.objgen
            ):
                self._join(list(field.Kids), f"{prefix}{name}.", known.Kids, known, depth + 1)
                continue
            target.append(field)
            if parent is not None and isinstance(field, Dictionary):
                field.Parent = parent
            for full, node in _named(field, prefix):
                self._known.setdefault(full, node)

    def _note(self, old: str, new: str) -> None:
        self.renamed.setdefault(old, new)
        self.latest.setdefault(old, new)

    def _free(self, name: str, prefix: str, own: set[str]) -> str:
        names = (f"{name}_{number}" for number in count(2))
        return next(free for free in names if prefix + free not in self._known and free not in own)


def _name(field: pikepdf.Object) -> str | None:
    name = field.get(Name.T) if isinstance(field, Dictionary) else None
    return str(name) if isinstance(name, String) else None


def _is_group(field: pikepdf.Object) -> bool:
    kids = field.get(Name.Kids)
    return isinstance(kids, Array) and set(field.keys()) <= GROUP_KEYS and any(_name(kid) is not None for kid in kids)


def _named(field: pikepdf.Object, prefix: str) -> Iterator[tuple[str, pikepdf.Object]]:
    """Yield the field and those below it that have a name of their own, with full names."""
    waiting, levels = [(field, prefix)], 0
    while waiting and levels < 100_000:
        node, before = waiting.pop()
        levels += 1
        if (name := _name(node)) is not None and before.count(".") < MAX_DEPTH:
            yield before + name, node
            waiting += [(kid, f"{before}{name}.") for kid in dictionaries(node.get(Name.Kids))]
