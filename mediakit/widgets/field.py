"""A field of a form: its control, its help text and its error."""

import html
import re

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.widgets.input_factory import input_for
from mediakit.widgets.inputs import Input


class Field:
    """A labeled control with help text and an error message."""

    def __init__(self, parameter: Parameter, accept: str = "", custom_input: Input | None = None) -> None:
        self.input = custom_input or input_for(parameter, accept)
        self.touched = False
        """Whether the user has changed the value."""
        self._help = _help(parameter)
        self._error = ""
        self._note = w.HTML(self._help)
        self.widget = w.VBox([part for part in (self.input.caption, self.input.widget, self._note) if part is not None])
        self.widget.add_class("mediakit-field")
        if self.input.wide:
            self.widget.add_class("mediakit-wide")

    @property
    def control(self) -> w.DOMWidget:
        """The ipywidgets control."""
        return self.input.control

    @property
    def error(self) -> str:
        """The error message; empty if the value is valid."""
        return self._error

    @error.setter
    def error(self, message: str) -> None:
        if message != self._error:
            self._error = message
            alert = f"<div role='alert' class='mediakit-error'>{html.escape(message)}</div>" if message else ""
            self._note.value = alert + self._help


def _help(parameter: Parameter) -> str:
    limits = ""
    if parameter.minimum is not None and parameter.maximum is not None:
        limits = f"<span>{parameter.minimum:,.15g}–{parameter.maximum:,.15g}.</span> "
    return f"<div class='mediakit-help'>{limits}{_with_code(parameter.help)}</div>"


def _with_code(text: str) -> str:
    """Return the text as HTML, with text in backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
