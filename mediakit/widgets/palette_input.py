"""The input for the colours of a chart: one for each series, or slice of a pie, that the table has."""

import json
from collections.abc import Sequence
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core.parameters import Parameter
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.inputs import Input, heading

MOST = 10
"""Colours to choose; those of further series come after them by themselves."""


class Colors(w.Box):  # type: ignore[misc]  # ipywidgets has no types
    """A colour beside another; `value` is all of their text."""

    value = Unicode("[]")


class PaletteInput(Input):
    """Colours in the order of what they are for; one left empty is the theme's own."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, Colors())
        self.caption = heading("palette")
        self.control.add_class("mediakit-palette")
        self._inputs: list[ColorInput] = []
        self._usual: Sequence[str] = ()
        self._parameter = Parameter(**{**vars(parameter), "kind": "color", "default": None})

    def offer(self, names: Sequence[str], usual: Sequence[str]) -> None:
        """Offer a colour for each of these, and show what it is when nobody chooses one.

        Args:
            names: What the colours are of.
            usual: The theme's own colours, as many as there are names and more.
        """
        self._usual = usual
        count = max(min(len(names), MOST), self._chosen)
        self._reserve(count)
        for place, each in enumerate(self._inputs[:count]):
            name = names[place] if place < len(names) else f"Colour {place + 1}"
            each.name(name, usual[place])
        self.control.children = [each.widget for each in self._inputs[:count]]

    def read(self) -> Any:
        """Give all colours that are offered, None where none is chosen."""
        if not self._chosen:
            return None
        offered = self._inputs[: len(self.control.children)]
        return [each.read() or self._usual[place] for place, each in enumerate(offered)]

    def fill(self, value: Any) -> None:
        """Show colours."""
        self._reserve(len(value))
        for each, color in zip(self._inputs, value, strict=False):
            each.fill(color)

    @property
    def _chosen(self) -> int:
        """The number of the last colour that was chosen."""
        return max((place for place, each in enumerate(self._inputs, 1) if each.read()), default=0)

    def _reserve(self, count: int) -> None:
        while len(self._inputs) < count:
            made = ColorInput(self._parameter)
            made.control.observe(lambda _: self._tell(), "value")
            self._inputs.append(made)

    def _tell(self) -> None:
        self.control.value = json.dumps([each.read() for each in self._inputs])
