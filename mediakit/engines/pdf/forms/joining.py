"""Form fields and layers of several PDFs in one.

Fields are joined, never merged: one whose name is taken gets a new one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import EVERYWHERE, Feature, Part, annotations, pages_of_annotations
from mediakit.engines.pdf.objects import Visited, ancestry, dictionaries, dictionary, fields_of, is_true, items
from mediakit.engines.pdf.opening import Source


def rename_clashing_resources(first: pikepdf.Object, form: pikepdf.Object) -> None:
    """Rename resources of a form where the first form has others of the same name."""
    mine, theirs = dictionary(first.get(Name.DR)), dictionary(form.get(Name.DR))
    renamed: dict[str, str] = {}
    for category, add in theirs.items():
        have = mine.get(category)
        if isinstance(have, Dictionary) and isinstance(add, Dictionary):
            clashing = [key for key, value in add.items() if key in have and not _alike(have[key], value)]
            renamed |= {key: _free(key, {*have.keys(), *add.keys()}) for key in clashing}
            theirs[category] = Dictionary({renamed.get(key, key): value for key, value in add.items()})
    if renamed:
        _rewrite(form, renamed)


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


def _free(key: str, taken: set[str]) -> str:
    number = 2
    while f"{key}_{number}" in taken:
        number += 1
    return f"{key}_{number}"


def _rewrite(form: pikepdf.Object, renamed: dict[str, str]) -> None:
    """Rename resources in the default appearances of a form and its fields."""
    new = {old.encode("latin-1", "replace"): name.encode("latin-1", "replace") for old, name in renamed.items()}
    pattern = re.compile(b"(?:" + b"|".join(map(re.escape, new)) + rb")(?=\s|$)")
    for node in (form, *(field.item for field in fields_of(form))):
        if isinstance(appearance := node.get(Name.DA), String):
            node.DA = String(pattern.sub(lambda match: new[match[0]], bytes(appearance)))


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
        new = (
            [field for field in fields if isinstance(field, Dictionary) and visited.add(field)]
            if depth <= MAX_DEPTH
            else []
        )
        return [node(field, items(field.get(Name.Kids)), depth) for field in new]

    def node(field: pikepdf.Object, found: Sequence[pikepdf.Object], depth: int) -> _Node:
        kids = read(found, depth + 1)
        pages = EVERYWHERE
        if found:
            pages = reduce(or_, (kid.pages for kid in kids), 0)
        elif field.get(Name.Subtype) == Name.Widget or Name.Rect in field:
            pages = widgets.get(field.objgen, 0)
        return _Node(field, kids, pages)

    return read(items(source.root.AcroForm.get(Name.Fields)), 0)


def prune(part: Part, form: pikepdf.Object) -> None:
    """Keep the fields of a form that have a widget on a kept page, or none at all."""
    kept = _kept(part, part.source.read_once(read_fields))
    part.changes.set(form, Name.Fields, Array([node.item for node in kept]))
    if isinstance(order := form.get(Name.CO), Array):
        alive = {node.item.objgen for node in _all(kept, part.mask)}
        calculated = [field for field in dictionaries(order) if field.objgen in alive]
        part.changes.set(form, Name.CO, Array(calculated))


def _kept(part: Part, nodes: Sequence[_Node]) -> list[_Node]:
    """Return the nodes that are kept, without the children that are not."""
    kept = [node for node in nodes if node.pages & part.mask]
    for node in kept:
        if node.kids and node.pages & ~part.mask:
            part.changes.set(node.item, Name.Kids, Array([kid.item for kid in _kept(part, node.kids)]))
    return kept


def _all(nodes: Sequence[_Node], mask: int) -> list[_Node]:
    """Return the kept nodes with those below them."""
    found = [node for node in nodes if node.pages & mask]
    for node in found:  # grows
        found += [kid for kid in node.kids if kid.pages & mask]
    return found


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
        _show_by_default(layers)
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


def _show_by_default(layers: pikepdf.Object) -> None:
    """Replace a base state of OFF by a list of the hidden layers."""
    default = layers.get(Name.D)
    if not isinstance(default, Dictionary) or default.get(Name.BaseState) != Name.OFF:
        return
    del default.BaseState
    shown = {group.objgen for group in dictionaries(default.get(Name.ON))}
    default.OFF = Array([group for group in dictionaries(layers.get(Name.OCGs)) if group.objgen not in shown])


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
            _push_defaults(self._form, form)
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
            if widget.get(Name.Subtype) == Name.Widget and self._form is not None:
                self._repeat_widget(widget, made)

    def _repeat_widget(self, widget: pikepdf.Object, made: dict[tuple[int, int], pikepdf.Object]) -> None:
        parent = widget.get(Name.Parent)
        if Name.T in widget or not isinstance(parent, Dictionary):
            self._add_copy(widget, widget)
            return
        if parent.objgen not in made:
            made[parent.objgen] = self._pdf.make_indirect(Dictionary(Kids=Array()))
            self._add_copy(made[parent.objgen], parent)
        field = made[parent.objgen]
        widget.Parent = field
        field.Kids.append(widget)

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
        if Name.Parent in field:
            del field.Parent
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
            for rest in _endings(field):
                self._note(prefix + name + rest, prefix + free + rest)

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
        number = 2
        while f"{prefix}{name}_{number}" in self._known or f"{name}_{number}" in own:
            number += 1
        return f"{name}_{number}"


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


def _endings(field: pikepdf.Object) -> list[str]:
    """Return what follows the field's name in the full names of the fields that hold values below it."""
    named = dict(_named(field, ""))
    top = _name(field) or ""
    return [name[len(top) :] for name in named if not any(other.startswith(f"{name}.") for other in named)]


def _push_defaults(first: pikepdf.Object, form: pikepdf.Object) -> None:
    """Write the form's defaults into its fields where the first form has others."""
    for key in (Name.DA, Name.Q):
        if key in form and form[key] != first.get(key):
            for field in dictionaries(form.Fields):
                field[key] = field.get(key, form[key])
