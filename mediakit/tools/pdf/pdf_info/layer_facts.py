"""Optional content: its layers, and which of them show."""

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.objects import dictionaries, dictionary, name_of, text_of
from mediakit.engines.pdf.source import PageKey, Source

MAX_DEPTH = 20
"""Nesting of visibility expressions."""


def read_layers(source: Source) -> list[dict[str, object]]:
    """Return the name of each layer, and whether it shows by default."""
    properties = dictionary(source.root.get(Name.OCProperties))
    hidden = hidden_layers(properties)
    return [
        {
            "name": text_of(group.get(Name.Name)),
            "visible": group.objgen not in hidden,
        }
        for group in dictionaries(properties.get(Name.OCGs))
    ]


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
    policy = _POLICIES.get(name_of(membership.get(Name.P)), any)
    return bool(groups) and not policy(_shows(membership, group.objgen in hidden) for group in groups)


def _shows(membership: pikepdf.Object, off: bool) -> bool:  # noqa: FBT001  # a value, not an option
    """Return whether a layer is in the state that the policy of a membership asks for."""
    return off if name_of(membership.get(Name.P)).endswith("Off") else not off


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
