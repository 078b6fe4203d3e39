"""One field of a form: its control, its help, and below them what is wrong with it."""

import html
import re

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.widgets.choice import input_for
from mediakit.widgets.inputs import Input


class Field:
    """A labelled control that can say what is wrong."""

    def __init__(self, parameter: Parameter, accept: str = "", made: Input | None = None) -> None:
        self.input = made or input_for(parameter, accept)
        self.touched = False
        """Whether somebody has changed the value."""
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
        """What is wrong with the value; empty: nothing."""
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
    return f"<div class='mediakit-help'>{limits}{_prose(parameter.help)}</div>"


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
