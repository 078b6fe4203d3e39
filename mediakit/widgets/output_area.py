"""What a form shows of its result: the preview, the call, and plain outputs for the saved notebook."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from mediakit.core.tool import Tool
from mediakit.widgets.call_tabs import CallTabs
from mediakit.widgets.front_end import FrontEnd
from mediakit.widgets.preview import DisplayData, Preview
from mediakit.widgets.static_output import StaticOutput


@dataclass(frozen=True)
class Rendered:
    """The result of a request, ready to display."""

    tool: Tool[..., Any]
    request: Any
    values: Mapping[str, Any]
    """The values of the request for code snippets."""
    display_data: DisplayData


class OutputArea:
    """The latest result with its call, beside the fields of a form."""

    def __init__(self, name: str) -> None:
        self.preview = Preview(name)
        self.rendered: Rendered | None = None
        """What the area shows."""
        self._calls = CallTabs()
        self.front_end = FrontEnd()
        self.front_end.add_class("mediakit-front-end")
        self._static = StaticOutput(name)
        self.widget = w.VBox([self.front_end, self.preview.widget, self._calls.widget])
        self.widget.add_class("mediakit-output")

    def insert(self, widget: w.Widget) -> None:
        """Show a widget between the preview and the call."""
        *before, calls = self.widget.children
        self.widget.children = [*before, widget, calls]

    def insert_above(self, widget: w.Widget) -> None:
        """Show a widget above the preview."""
        front_end, *others = self.widget.children
        self.widget.children = [front_end, widget, *others]

    def attach(self, form: w.Widget) -> None:
        """Connect the front end with the box of the form."""
        self.front_end.form = form.model_id

    def show(self, rendered: Rendered) -> None:
        """Show a result."""
        self.rendered = rendered
        self.preview.show(rendered.display_data)
        self._calls.show(rendered.tool, rendered.values)
        self._static.update(rendered.display_data, self._calls.python)

    def block(self, reason: str) -> None:
        """Disable the call and the download, because the form has other values than the result that is shown."""
        self._calls.block(reason)
        self.preview.block(reason)

    def place_static(self) -> None:
        """Add the plain outputs to the running cell."""
        self._static.place(self.rendered.display_data if self.rendered else None, self._calls.python)
