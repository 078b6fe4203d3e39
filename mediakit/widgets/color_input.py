"""The input for a colour: a text to type, and beside it a swatch that opens the browser's picker.

The picker of ipywidgets has no name for screen readers, cannot be empty, and drops what is no colour without a word.
"""

import html
import re
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.widgets.inputs import Input, labelled

_COLOR = re.compile(r"#?([0-9a-fA-F]{6})", re.ASCII)

_TEXT = "this.closest('.mediakit-color').querySelector('input[type=text]')"
_TAKE = (
    f"const t={_TEXT}, c='#'+(t.value||t.placeholder).replace('#',''); if (/^#[0-9a-f]{{6}}$/i.test(c)) this.value=c"
)
_GIVE = f"const t={_TEXT}; t.value=this.value; t.dispatchEvent(new Event('input',{{bubbles:true}}))"


class ColorInput(Input):
    """A colour, typed or picked; empty where the tool may choose."""

    def __init__(self, parameter: Parameter, *, usual: str = "") -> None:
        super().__init__(parameter, w.Text(parameter.default or "", **labelled(parameter)))
        self._ink = w.HTML()
        self._picker = w.HTML()
        self._ink.add_class("mediakit-ink")
        self._picker.add_class("mediakit-picker")
        self._box = w.Box([self.control, self._ink, self._picker])
        self._box.add_class("mediakit-color")
        self.control.observe(lambda _: self._paint(), "value")
        self.name(parameter.name, usual or parameter.default or "")

    @property
    def widget(self) -> w.DOMWidget:
        """The text and its swatch."""
        return self._box

    def name(self, name: str, usual: str) -> None:
        """Say what the colour is of, and which one it has while the text is empty."""
        self.control.description = name
        self.control.placeholder = usual or "none"
        self._picker.value = (
            f'<input type="color" aria-label="Pick {html.escape(name)}" onfocus="{_TAKE}" onpointerdown="{_TAKE}" '
            f'oninput="{_GIVE}">'
        )
        self._paint()

    def read(self) -> Any:
        """Give the colour, None for no text."""
        return self.control.value.strip() or None

    def fill(self, value: Any) -> None:
        """Show the colour, given with or without `#`."""
        self.control.value = f"#{value.removeprefix('#')}"

    def _paint(self) -> None:
        color = _COLOR.fullmatch(self.control.value.strip() or self.control.placeholder)
        style = f' style="background:#{color[1]}"' if color else ' class="mediakit-none"'
        self._ink.value = f"<span{style}></span>"
