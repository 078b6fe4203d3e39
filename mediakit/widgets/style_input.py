"""The input for the style of a template: a button with a thumbnail for each style."""

from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.engines.templates.manifest import Manifest
from mediakit.engines.templates.template import thumbnail_uri
from mediakit.widgets.inputs import ChoiceInput, heading


class StyleInput(ChoiceInput):
    """Buttons with thumbnails. The first style is the default."""

    wide = True

    def __init__(self, parameter: Parameter, template: Manifest) -> None:
        super().__init__(parameter)
        self._first = template.styles[0]
        self._buttons = {style: self._button(style, template.name) for style in template.styles}
        css = "".join(
            f".mediakit-form .mediakit-style-{template.name}-{style}"
            f"{{background-image:url({thumbnail_uri(template, style)})}}"
            for style in template.styles
        )
        buttons = w.Box(list(self._buttons.values()))
        buttons.add_class("mediakit-picks")
        self._box = w.VBox([w.HTML(f"<style>{css}</style>"), buttons])
        self.caption = heading(parameter.name)
        self.control.observe(lambda _: self._update(), "value")
        self._update()

    @property
    def widget(self) -> w.DOMWidget:
        """The buttons."""
        return self._box

    def read(self) -> Any:
        """Return the style; None for the first."""
        return None if self.control.value == self._first else self.control.value

    def _button(self, style: str, template: str) -> w.Button:
        button = w.Button(description=style)
        button.add_class(f"mediakit-style-{template}-{style}")
        button.on_click(lambda _: self.control.set_trait("value", style))
        return button

    def _update(self) -> None:
        for style, button in self._buttons.items():
            is_selected = style == self.control.value
            (button.add_class if is_selected else button.remove_class)("mediakit-picked")
            button.tooltip = f"{style}, selected" if is_selected else f"Use the style {style}"
