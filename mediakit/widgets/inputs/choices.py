"""Choices that are shown as icons and colors."""

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core.fields import color_error, parse_color
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.engines.colors import PALETTE_NAMES
from mediakit.widgets.inputs.base import Input, heading, labeled


class Picks(w.Box):  # type: ignore[misc]  # ipywidgets has no types
    """A row of buttons with icons; `value` is the selected choice."""

    value = Unicode(None, allow_none=True)


class PicksInput(Input):
    """A choice by icons.

    Args:
        parameter: The parameter to edit. If it has no default, the first button selects none of the choices.
        icons: CSS background of each choice.
        unset: Text of the button that selects none.
    """

    wide = True

    def __init__(self, parameter: Parameter, icons: Mapping[str, str], unset: str = "default") -> None:
        super().__init__(parameter, Picks())
        self.caption: w.HTML = heading(parameter.name)
        choices: list[str | None] = [*parameter.choices]
        if parameter.default is None:
            choices.insert(0, None)
        self._buttons = {choice: self._button(choice, unset) for choice in choices}
        self.control.children = [_style(parameter.name, icons), *self._buttons.values()]
        self.control.add_class("mediakit-icons")
        self.control.observe(lambda _: self._mark(), "value")
        self.control.value = parameter.default
        self._mark()

    def restore(self, state: Any) -> None:
        """Select an earlier choice.

        Raises:
            ValueError: The choice does not exist.
        """
        if state not in self._buttons:
            raise ValueError(f"{self.parameter.name}: unknown choice.")
        self.control.value = state

    def _button(self, choice: str | None, unset: str) -> w.Button:
        button = w.Button(description=choice or unset)
        button.add_class(_class(self.parameter.name, choice or "unset"))
        button.on_click(lambda _: self.control.set_trait("value", choice))
        return button

    def _mark(self) -> None:
        """Mark the selected button."""
        for choice, button in self._buttons.items():
            is_selected = choice == self.control.value
            (button.add_class if is_selected else button.remove_class)("mediakit-picked")
            name = f"{self.parameter.name} {button.description}"
            button.tooltip = f"{name}, selected" if is_selected else name


def _class(field: str, choice: str) -> str:
    return f"mediakit-pick-{field}-{choice}"


def _style(field: str, icons: Mapping[str, str]) -> w.HTML:
    """Return a style sheet with the icon of each choice."""
    rules = (f".{_class(field, choice)}::before{{background:{css}}}" for choice, css in icons.items())
    style = w.HTML(f"<style>{html.escape(' '.join(rules), quote=False)}</style>")
    style.add_class("mediakit-style")
    return style


_TEXT = "this.closest('.mediakit-color').querySelector('input[type=text]')"
_TEXT_TO_PICKER = (
    f"const t={_TEXT}, v=t.value||t.placeholder, x=document.createElement('canvas').getContext('2d');"
    "x.fillStyle=/^[0-9a-f]{6}$/i.test(v)?'#'+v:v; if (/^#/.test(x.fillStyle)) this.value=x.fillStyle"
)
_PICKER_TO_TEXT = f"const t={_TEXT}; t.value=this.value; t.dispatchEvent(new Event('input',{{bubbles:true}}))"


class ColorInput(Input):
    """A color as text or from the color picker; empty if the tool chooses it.

    Args:
        parameter: The parameter to edit.
        default: The color that is shown while the text is empty.
    """

    def __init__(self, parameter: Parameter, *, default: str = "") -> None:
        super().__init__(parameter, w.Text(parameter.default or "", **labeled(parameter)))
        self._parameter = parameter
        self._swatch = w.HTML()
        self._picker = w.HTML()
        self._swatch.add_class("mediakit-swatch")
        self._picker.add_class("mediakit-picker")
        self._box = w.Box([self.control, self._swatch, self._picker])
        self._box.add_class("mediakit-color")
        self.control.observe(lambda _: self._update_swatch(), "value")
        self.set_label(parameter.name, default or parameter.default or "")

    @property
    def widget(self) -> w.DOMWidget:
        """The text field and its swatch."""
        return self._box

    def set_label(self, label: str, default: str) -> None:
        """Set the label and the color that is shown while the text is empty."""
        self.control.description = label
        self.control.placeholder = default or "none"
        self._picker.value = (
            f'<input type="color" aria-label="Pick {html.escape(label)}" '
            f'onfocus="{_TEXT_TO_PICKER}" onpointerdown="{_TEXT_TO_PICKER}" oninput="{_PICKER_TO_TEXT}">'
        )
        self._update_swatch()

    def read(self) -> Any:
        """Return the color, a CSS color as `#rrggbb`; None if the text is empty.

        Raises:
            InvalidInput: The text is not a color.
        """
        text = self.control.value.strip()
        color = parse_color(text)
        if text and not color and self._parameter.is_hex_color:
            raise invalid([{"field": self._parameter.name, "message": color_error(text)}])
        return color or text or None

    def fill(self, value: Any) -> None:
        """Show a color, a CSS color as `#rrggbb`."""
        self.control.value = parse_color(value) or value

    def _update_swatch(self) -> None:
        color = parse_color(self.control.value.strip() or self.control.placeholder)
        attribute = f' style="background:{color}"' if color else ' class="mediakit-none"'
        self._swatch.value = f"<span{attribute}></span>"


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
