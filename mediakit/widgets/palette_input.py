"""The input for the colors of a chart: one per series, or per slice of a pie chart."""

import json
from collections.abc import Sequence
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core.parameters import Parameter
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.inputs import Input, heading

MAX_INPUTS = 10
"""Maximum number of color inputs. Further series use the next colors of the theme."""


class Colors(w.Box):  # type: ignore[misc]  # ipywidgets has no types
    """A row of color inputs; `value` contains all colors as JSON."""

    value = Unicode("[]")


class PaletteInput(Input):
    """An input for a list of colors. An empty color input uses the color of the theme."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, Colors())
        self.caption = heading("palette")
        self.control.add_class("mediakit-palette")
        self._inputs: list[ColorInput] = []
        self._defaults: Sequence[str] = ()
        self._parameter = Parameter(**{**vars(parameter), "kind": "color", "default": None})

    def set_labels(self, labels: Sequence[str], defaults: Sequence[str]) -> None:
        """Show one color input per label.

        Args:
            labels: The names of the series or slices.
            defaults: The colors of the theme, at least as many as there are labels.
        """
        self._defaults = defaults
        count = max(min(len(labels), MAX_INPUTS), self._chosen)
        self._add_inputs(count)
        for index, color_input in enumerate(self._inputs[:count]):
            label = labels[index] if index < len(labels) else f"Color {index + 1}"
            color_input.set_label(label, defaults[index])
        self.control.children = [color_input.widget for color_input in self._inputs[:count]]

    def read(self) -> Any:
        """Return all displayed colors; None if the user has chosen none."""
        if not self._chosen:
            return None
        displayed = self._inputs[: len(self.control.children)]
        return [color_input.read() or self._defaults[index] for index, color_input in enumerate(displayed)]

    def fill(self, value: Any) -> None:
        """Show the given colors in the inputs."""
        self._add_inputs(len(value))
        for color_input, color in zip(self._inputs, value, strict=False):
            color_input.fill(color)

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
        self.control.value = json.dumps([color_input.read() for color_input in self._inputs])
