"""Choices that are shown as icons and colors."""

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as w

from mediakit.core.fields import color_error, parse_color
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.engines.colors import PALETTE_NAMES
from mediakit.widgets.inputs.base import Controls, Input, button, group, heading, labeled, mark, markup, styled, vbox


class PicksInput(Input):
    """A choice by icons, whose CSS backgrounds are in rules with the name of the group, by default the parameter's.

    If the parameter has no default, the first button selects none of the choices, with the text `unset`.
    """

    wide = True

    def __init__(self, parameter: Parameter, icons: Mapping[str, str], unset: str = "default", group: str = "") -> None:
        super().__init__(parameter, styled(Controls(), "icons"))
        self._group = group or parameter.name
        self.caption = heading(parameter.name)
        choices = [*([None] if parameter.default is None else []), *parameter.choices]
        self._buttons = {choice: self._button(choice, unset) for choice in choices}
        rules = (f".{self._class(choice)}::before{{background:{css}}}" for choice, css in icons.items())
        style = markup(f"<style>{html.escape(' '.join(rules), quote=False)}</style>", "style")
        self.control.children = [style, *self._buttons.values()]
        self.control.observe(lambda _: self._mark(), "value")
        self.control.value = parameter.default
        self._mark()

    def restore(self, state: Any) -> None:
        """Select an earlier choice."""
        if state not in self._buttons:
            raise ValueError(f"{self.parameter.name}: unknown choice.")
        self.control.value = state

    def _button(self, choice: str | None, unset: str) -> w.Button:
        name = choice or unset
        return button(
            name,
            lambda: self.control.set_trait("value", choice),
            tooltip=f"{self.parameter.name} {name}",
            _dom_classes=[self._class(choice or "unset")],
        )

    def _class(self, choice: str) -> str:
        return f"mediakit-pick-{self._group}-{choice}"

    def _mark(self) -> None:
        for choice, each in self._buttons.items():
            is_selected = choice == self.control.value
            mark(each, "picked", marked=is_selected)
            name = f"{self.parameter.name} {each.description}"
            each.tooltip = f"{name}, selected" if is_selected else name


_TEXT = "this.closest('.mediakit-color').querySelector('input[type=text]')"
_TEXT_TO_PICKER = (
    f"const t={_TEXT}, v=t.value||t.placeholder, x=document.createElement('canvas').getContext('2d');"
    "x.fillStyle=/^[0-9a-f]{6}$/i.test(v)?'#'+v:v; if (/^#/.test(x.fillStyle)) this.value=x.fillStyle"
)
_PICKER_TO_TEXT = f"const t={_TEXT}; t.value=this.value; t.dispatchEvent(new Event('input',{{bubbles:true}}))"


class ColorInput(Input):
    """A color as text or from the color picker; empty if the tool chooses it, which shows `default`."""

    def __init__(self, parameter: Parameter, *, default: str = "") -> None:
        super().__init__(parameter, w.Text(parameter.default or "", **labeled(parameter.name)))
        self._swatch, self._picker = markup("", "swatch"), markup("", "picker")
        self.widget = group([self.control, self._swatch, self._picker], "color")
        self.control.observe(lambda _: self._update_swatch(), "value")
        self.set_label(parameter.name, default or parameter.default or "")

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
        """Return the color, a CSS color as `#rrggbb`; None if the text is empty."""
        text = self.control.value.strip()
        color = parse_color(text)
        if text and not color and self.parameter.is_hex_color:
            raise invalid([{"field": self.parameter.name, "message": color_error(text)}])
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


class PaletteInput(Input):
    """An input for a named palette, or a list of colors. An empty color input uses the color of the palette."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, styled(Controls(), "palette"))
        self.caption = heading("palette")
        names = [("Default", ""), *((name.capitalize(), name) for name in PALETTE_NAMES)]
        self._name = styled(w.Dropdown(options=names, value="", **labeled("Start with")), "palette-name")
        self._name.observe(lambda _: self._notify(), "value")
        self.widget = vbox([self._name, self.control])
        self._inputs: list[ColorInput] = []
        self._defaults: Sequence[str] = ()
        self._parameter = Parameter(**{**vars(parameter), "kind": "color", "default": None})

    @property
    def name(self) -> str | None:
        """The name of the palette; None for that of the theme."""
        return self._name.value or None

    def set_labels(self, labels: Sequence[str], defaults: Sequence[str]) -> None:
        """Show one color input per label of a series or slice, with the colors of the palette by default."""
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
