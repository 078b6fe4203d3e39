"""Optional content: layers that viewers can switch on and off (ISO 32000-2, 8.11)."""

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.objects import dictionaries, items
from mediakit.engines.pdf.part import Feature, Part

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

    def attach(self, part: Part, copied: pikepdf.Object | None) -> None:  # noqa: ARG002
        """Join the layers."""
        if self._joined is None or copied is None:
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
