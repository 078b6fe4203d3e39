"""The input for a color: a text field with a swatch that opens the color picker of the browser.

The color picker of ipywidgets has no accessible name, cannot be empty, and silently drops invalid colors.
"""

import html
import re
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.widgets.inputs import Input, labeled

_COLOR = re.compile(r"#?([0-9a-fA-F]{6})", re.ASCII)

_TEXT = "this.closest('.mediakit-color').querySelector('input[type=text]')"
_TEXT_TO_PICKER = (
    f"const t={_TEXT}, c='#'+(t.value||t.placeholder).replace('#',''); if (/^#[0-9a-f]{{6}}$/i.test(c)) this.value=c"
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
        """Return the color; None if the text is empty."""
        return self.control.value.strip() or None

    def fill(self, value: Any) -> None:
        """Show a color, with or without `#`."""
        self.control.value = f"#{value.removeprefix('#')}"

    def _update_swatch(self) -> None:
        color = _COLOR.fullmatch(self.control.value.strip() or self.control.placeholder)
        attribute = f' style="background:#{color[1]}"' if color else ' class="mediakit-none"'
        self._swatch.value = f"<span{attribute}></span>"
