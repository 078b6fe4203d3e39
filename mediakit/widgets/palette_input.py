"""The input for the colors of a chart: one per series, or per slice of a pie chart."""

import json
from collections.abc import Sequence
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines.colors import PALETTE_NAMES
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.inputs import Input, heading

MAX_INPUTS = 10
"""Maximum number of color inputs. Further series use the next colors of the theme."""


class Colors(w.Box):  # type: ignore[misc]  # ipywidgets has no types
    """A row of color inputs; `value` contains all colors as JSON."""

    value = Unicode("[]")


class PaletteInput(Input):
    """An input for a named palette, or a list of colors. An empty color input uses the color of the palette."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, Colors())
        self.caption = heading("palette")
        self.control.add_class("mediakit-palette")
        names = [("Default", ""), *((name.capitalize(), name) for name in PALETTE_NAMES)]
        self._name = w.Dropdown(options=names, value="", description="Start with", style={"description_width": "auto"})
        self._name.layout.margin = "0 0 8px"
        self._name.observe(lambda _: self._notify(), "value")
        self._box = w.VBox([self._name, self.control])
        self._inputs: list[ColorInput] = []
        self._defaults: Sequence[str] = ()
        self._parameter = Parameter(**{**vars(parameter), "kind": "color", "default": None})

    @property
    def widget(self) -> w.DOMWidget:
        """The name of the palette above the colors."""
        return self._box

    @property
    def name(self) -> str | None:
        """The name of the palette; None for that of the theme."""
        return self._name.value or None

    def set_labels(self, labels: Sequence[str], defaults: Sequence[str]) -> None:
        """Show one color input per label.

        Args:
            labels: The names of the series or slices.
            defaults: The colors of the palette, at least as many as there are labels.
        """
        self._defaults = defaults
        count = max(min(len(labels), MAX_INPUTS), self._chosen)
        self._add_inputs(count)
        for index, color_input in enumerate(self._inputs[:count]):
            label = labels[index] if index < len(labels) else f"Color {index + 1}"
            color_input.set_label(label, defaults[index])
        self.control.children = [color_input.widget for color_input in self._inputs[:count]]

    def read(self) -> Any:
        """Return all displayed colors if the user has chosen one; otherwise the name of the palette, None for none."""
        if not self._chosen:
            return self.name
        displayed = self._inputs[: len(self.control.children)]
        return [color_input.read() or self._defaults[index] for index, color_input in enumerate(displayed)]

    def fill(self, value: Any) -> None:
        """Show the name of a palette, or the given colors in the inputs."""
        if isinstance(value, str):
            self._name.value = value
            return
        self._add_inputs(len(value))
        for color_input, color in zip(self._inputs, value, strict=False):
            color_input.fill(color)

    def state(self) -> Any:
        """Return the text of each color input by its number."""
        colors = {str(number): color_input.control.value for number, color_input in enumerate(self._inputs)}
        return {**colors, "name": self._name.value}

    def restore(self, state: Any) -> None:
        """Show the palette of an earlier state."""
        name = state.get("name", "")
        self._name.value = name if name in PALETTE_NAMES else ""
        for number, color_input in enumerate(self._inputs):
            color_input.control.value = state.get(str(number), "")

    @property
    def _chosen(self) -> int:
        """The number of the last color that the user has chosen; 0 if none was chosen."""
        return max((number for number, color_input in enumerate(self._inputs, 1) if color_input.read()), default=0)

    def _add_inputs(self, count: int) -> None:
        while len(self._inputs) < count:
            color_input = ColorInput(self._parameter)
            color_input.control.observe(lambda _: self._notify(), "value")
            self._inputs.append(color_input)

    def _notify(self) -> None:
        self.control.value = json.dumps([self._name.value, *(color_input.read() for color_input in self._inputs)])
