"""The input for a color: a text field with a swatch that opens the color picker of the browser.

The color picker of ipywidgets has no accessible name, cannot be empty, and silently drops invalid colors.
"""

import html
from typing import Any

import ipywidgets as w

from mediakit.core.fields import color_error, parse_color
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.widgets.inputs import Input, labeled

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
