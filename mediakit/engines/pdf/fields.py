"""Form fields: joined, never merged into one; a field whose name is taken gets a new one."""

from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.field_pruning import FieldIndex
from mediakit.engines.pdf.form_resources import join_resources, rename_clashing_resources
from mediakit.engines.pdf.objects import is_true
from mediakit.engines.pdf.part import Feature, Part

MAX_DEPTH = 50
"""Levels of a field tree that are read; deeper fields stay as they are."""

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
            part.source.read_once(FieldIndex).prune(part)
            if not len(form.Fields) and not _has_widgets(part):
                return None
        self._rename(form.Fields, "", part)
        if self._form is not None:
            rename_clashing_resources(self._form, form)
            _push_defaults(self._form, form)
        return form

    def attach(self, part: Part, copied: pikepdf.Object | None) -> None:  # noqa: ARG002
        """Take the fields."""
        if copied is None:
            return
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
        for ancestor in _ancestry(original):
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
                and not _same(known, field)
            ):
                self._join(list(field.Kids), f"{prefix}{name}.", known.Kids, known, depth + 1)
                continue
            target.append(field)
            if parent is not None and isinstance(field, Dictionary):
                field.Parent = parent
            self._register(field, prefix)

    def _register(self, field: pikepdf.Object, prefix: str) -> None:
        for name, node in _named(field, prefix):
            self._known.setdefault(name, node)

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


def _has_widgets(part: Part) -> bool:
    return any(item.get(Name.Subtype) == Name.Widget for page in part.pages for item in annotations(page))


def _same(one: pikepdf.Object, other: pikepdf.Object) -> bool:
    return one.objgen == other.objgen


def _kids(field: pikepdf.Object) -> list[pikepdf.Object]:
    kids = field.get(Name.Kids) if isinstance(field, Dictionary) else None
    return [kid for kid in kids if isinstance(kid, Dictionary)] if isinstance(kids, Array) else []


def _named(field: pikepdf.Object, prefix: str) -> Iterator[tuple[str, pikepdf.Object]]:
    """Yield the field and those below it that have a name of their own, with full names."""
    waiting, levels = [(field, prefix)], 0
    while waiting and levels < 100_000:
        node, before = waiting.pop()
        levels += 1
        if (name := _name(node)) is not None and before.count(".") < MAX_DEPTH:
            yield before + name, node
            waiting += [(kid, f"{before}{name}.") for kid in _kids(node)]


def _endings(field: pikepdf.Object) -> list[str]:
    """Return what follows the field's name in the full names of the fields that hold values below it."""
    named = dict(_named(field, ""))
    top = _name(field) or ""
    return [name[len(top) :] for name in named if not any(other.startswith(f"{name}.") for other in named)]


def _ancestry(field: pikepdf.Object) -> Iterator[pikepdf.Object]:
    for _ in range(MAX_DEPTH):
        yield field
        parent = field.get(Name.Parent)
        if not isinstance(parent, Dictionary):
            return
        field = parent


def _push_defaults(first: pikepdf.Object, form: pikepdf.Object) -> None:
    """Write the form's defaults into its fields where the first form has others."""
    for key in (Name.DA, Name.Q):
        if key in form and form[key] != first.get(key):
            for field in form.Fields:
                if isinstance(field, Dictionary) and key not in field:
                    field[key] = form[key]
