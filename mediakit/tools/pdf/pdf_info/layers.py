"""Optional content: which layers show, and how they are removed: what they show stays as plain content."""

from collections.abc import Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Operator, Stream

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.objects import (
    Visited,
    appearances,
    delete,
    dictionaries,
    dictionary,
    every_dictionary,
    key_of,
    name_of,
    text_of,
)
from mediakit.engines.pdf.opening import PageKey, Source

MAX_DEPTH = 20
"""Nesting of visibility expressions."""


def read_layers(source: Source) -> list[dict[str, object]]:
    """Return the name of each layer, and whether it shows by default."""
    properties = dictionary(source.root.get(Name.OCProperties))
    hidden = hidden_layers(properties)
    groups = dictionaries(properties.get(Name.OCGs))
    return [{"name": text_of(group.get(Name.Name)), "visible": group.objgen not in hidden} for group in groups]


def hidden_layers(properties: pikepdf.Object) -> set[PageKey]:
    """Return the layers that do not show by default."""
    default = dictionary(properties.get(Name.D))
    groups = {group.objgen for group in dictionaries(properties.get(Name.OCGs))}
    shown = {group.objgen for group in dictionaries(default.get(Name.ON))}
    hidden = {group.objgen for group in dictionaries(default.get(Name.OFF))}
    return (groups - shown) | hidden if default.get(Name.BaseState) == Name.OFF else hidden


def is_hidden(membership: object, hidden: set[PageKey], depth: int = 0) -> bool:
    """Return whether content of a layer, or of a rule about layers (ISO 32000-2, 8.11.2.2), does not show."""
    if not isinstance(membership, Dictionary) or depth > MAX_DEPTH:
        return False
    if membership.get(Name.Type) != Name.OCMD:
        return membership.objgen in hidden
    rule = membership.get(Name.VE)
    if isinstance(rule, Array):
        return not _holds(rule, hidden, depth)
    named = membership.get(Name.OCGs)
    groups = [named] if isinstance(named, Dictionary) else dictionaries(named)
    name = name_of(membership.get(Name.P))
    states = [(group.objgen in hidden) == name.endswith("Off") for group in groups]
    return bool(groups) and not _POLICIES.get(name, any)(states)


def _holds(rule: object, hidden: set[PageKey], depth: int) -> bool:
    """Return the value of a visibility expression."""
    if not isinstance(rule, Array) or not len(rule) or depth > MAX_DEPTH:
        return not is_hidden(rule, hidden, depth + 1)
    operator, *operands = list(rule)
    values = [_holds(operand, hidden, depth + 1) for operand in operands]
    match name_of(operator):
        case "/Not":
            return not (values and values[0])
        case "/Or":
            return any(values)
    return all(values)


_POLICIES = {"/AllOn": all, "/AnyOn": any, "/AnyOff": any, "/AllOff": all}
"""How the states of several layers are joined."""


PATH = frozenset(("m", "l", "c", "v", "y", "h", "re"))
CLIP = frozenset(("W", "W*"))
PAINT = frozenset(("f", "F", "f*", "S", "s", "B", "B*", "b", "b*", "n"))
SHOW = frozenset(("Tj", "TJ", "Do", "sh", "INLINE IMAGE", "EI"))
NEXT_LINE = frozenset(("'", '"'))
"""Operators of content streams (ISO 32000-2, annex A) by what they do."""

Instruction = tuple[Any, Any]
"""Operands and operator."""


def remove_layers(source: Source) -> None:
    """Remove all layers, with what is hidden by default."""
    if Name.OCProperties in source.root:
        _Removal(source).run()


class _Removal:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._hidden: set[PageKey] = hidden_layers(dictionary(source.root.OCProperties))
        self._visited = Visited()
        self._empty = source.pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 0, 0]))

    def run(self) -> None:
        """Clean the pages, their annotations and everything that they draw."""
        for page in self._source.pdf.pages:
            found = annotations(page.obj)
            kept = [item for item in found if not is_hidden(item.get(Name.OC), self._hidden)]
            if len(kept) < len(found):
                page.obj.Annots = Array(kept)
            for form in (form for item in kept for form in appearances(item)):
                self._clean_form(form)
            resources = page.obj.get(Name.Resources)
            if isinstance(resources, Dictionary) and self._properties(resources):
                page.obj.Contents = self._source.pdf.make_stream(self._without_hidden(page, resources))
            self._clean_resources(resources)
        for holder in every_dictionary(self._source.pdf):
            delete(holder, "/OC")
        del self._source.root.OCProperties

    def _clean_resources(self, resources: object) -> None:
        waiting = [resources]
        while waiting:
            current = waiting.pop()
            if not isinstance(current, Dictionary) or not self._visited.add(current):
                continue
            drawn = dictionary(current.get(Name.XObject))
            for key, item in list(drawn.items()):
                if isinstance(item, Stream) and is_hidden(item.get(Name.OC), self._hidden):
                    drawn[key] = self._empty
            for kind in (Name.XObject, Name.Pattern):
                streams = [item for item in dictionary(current.get(kind)).values() if isinstance(item, Stream)]
                for item in streams:
                    self._clean_form(item)
                    waiting.append(item.get(Name.Resources))
            if not self._properties(current, others=True):
                delete(current, "/Properties")

    def _clean_form(self, form: pikepdf.Object) -> None:
        if self._properties(dictionary(form.get(Name.Resources))) and self._visited.add(form):
            form.write(self._without_hidden(form, form.Resources))

    def _properties(self, resources: pikepdf.Object, *, others: bool = False) -> dict[str, pikepdf.Object]:
        """Return the properties that name layers, or those that do not."""
        return {
            key: item
            for key, item in dictionary(resources.get(Name.Properties)).items()
            if (isinstance(item, Dictionary) and item.get(Name.Type) in (Name.OCG, Name.OCMD)) is not others
        }

    def _without_hidden(self, holder: Any, resources: pikepdf.Object) -> bytes:
        """Return a content stream without what is hidden, and without the marks of layers."""
        layers = self._properties(resources)
        instructions = pikepdf.parse_content_stream(holder)
        return pikepdf.unparse_content_stream(_filtered(instructions, layers, self._hidden))


def _filtered(
    instructions: Sequence[Any], layers: dict[str, pikepdf.Object], hidden: set[PageKey]
) -> list[Instruction]:
    kept: list[Instruction] = []
    path: list[Instruction] = []
    marks: list[bool | None] = []  # for each open mark whether it hides; None if it is not of a layer
    for instruction in instructions:
        operands, operator = instruction.operands, instruction.operator
        word = str(operator)
        if word in ("BDC", "BMC"):
            is_layer = word == "BDC" and len(operands) > 1 and operands[0] == Name.OC and key_of(operands[1]) in layers
            marks.append(is_hidden(layers[key_of(operands[1])], hidden) if is_layer else None)
            if not is_layer:
                kept.append((operands, operator))
        elif word == "EMC":
            if not marks or marks.pop() is None:
                kept.append((operands, operator))
        elif True not in marks:
            kept.append((operands, operator))
        else:
            kept += _without_paint(word, (operands, operator), path)
    return kept


def _without_paint(word: str, instruction: Instruction, path: list[Instruction]) -> list[Instruction]:
    """Return what stays of a hidden instruction: the graphics state, and paths that clip."""
    if word in PATH or word in CLIP:
        path.append(instruction)
        return []
    if word in PAINT:
        clips = any(str(operator) in CLIP for _, operator in path)
        stays = [*path, ([], Operator("n"))] if clips else []
        path.clear()
        return stays
    if word in NEXT_LINE:
        return [([], Operator("T*"))]
    return [] if word in SHOW else [instruction]
