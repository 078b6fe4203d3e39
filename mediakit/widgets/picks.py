"""An input that shows each choice as an icon, such as the shapes and palettes of a QR code."""

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core.parameters import Parameter
from mediakit.widgets.inputs import Input, heading


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
