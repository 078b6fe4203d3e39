"""`form(tool)`: a tool as a form that draws while somebody types."""

import asyncio
import html
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Generic, ParamSpec, TypeVar

import ipywidgets as w

from mediakit.core.request import field_names, invalid
from mediakit.core.results import Result
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.widgets.calls import Calls
from mediakit.widgets.field import Field
from mediakit.widgets.plain import PlainOutput, display
from mediakit.widgets.preview import Preview, Shown
from mediakit.widgets.problems import by_field, field_of, is_missing
from mediakit.widgets.redraw import Redraw

P = ParamSpec("P")
R = TypeVar("R", bound=Result)

PATIENCE = 0.4
"""Seconds after which a drawing that takes its time says so."""


@dataclass(frozen=True)
class Drawing:
    """What the tool made of the fields."""

    request: Any
    values: Mapping[str, Any]
    """The request's values as snippets have them."""
    shown: Shown


class Form(Generic[R]):
    """A form over a tool's fields, with the result beside it; the last line of a cell shows it."""

    def __init__(self, tool: Tool[..., R], start: Mapping[str, Any]) -> None:
        self.tool = tool
        self.fields = {
            parameter.name: Field(parameter, _accepted(tool, parameter.name)) for parameter in tool.parameters
        }
        """The fields by name; each has its ipywidgets `control`."""
        self._fill(start)
        self._preview = Preview(tool.name)
        self._calls = Calls(tool)
        self.widget = self._layout()
        """The form as an ipywidgets box, for layouts of one's own."""
        self._drawing: Drawing | None = None
        self._plain = PlainOutput(tool.name)
        self._redraw = Redraw(self._draw, self._show)
        for field in self.fields.values():
            field.control.observe(lambda _, field=field: self._changed(field), "value")
        self._redraw.ask(quiet=0)

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, ready for `tool(**form.values)`.

        Raises:
            InvalidInput: What stands in a field is no such value.
        """
        return {name: value for name, field in self.fields.items() if (value := field.input.read()) is not None}

    @property
    def request(self) -> Any:
        """The request that the fields make.

        Raises:
            InvalidInput: A field is empty or breaks a rule.
        """
        return self.tool.validate(self.values)

    @property
    def result(self) -> R:
        """What the tool makes of the fields; waits for a drawing that is under way.

        Raises:
            InvalidInput: A field is empty or breaks a rule.
        """
        request = self.request
        self._redraw.settle()
        drawing = self._drawing
        if drawing and drawing.request == request:
            return drawing.shown.result  # type: ignore[return-value]  # the tool made it
        return self.tool.run(request)

    def _changed(self, field: Field) -> None:
        field.touched = True
        self._redraw.ask()

    async def _draw(self) -> Drawing | Exception:
        slow = asyncio.get_running_loop().call_later(PATIENCE, self._preview.wait, "Drawing…")
        try:
            request = self.request
            values = {name: field.input.written() for name, field in self.fields.items()}
            result = await self.tool.arun(request)
            return Drawing(request, values, await asyncio.to_thread(Shown.of, result))
        except Exception as error:  # noqa: BLE001  # whatever it is, the form says it
            return error
        finally:
            slow.cancel()

    def _show(self, made: Drawing | Exception) -> None:
        if isinstance(made, Drawing):
            self._drawing = made
            self._blame({})
            self._preview.show(made.shown)
            self._calls.show(made.values)
            self._plain.update(made.shown)
        else:
            self._explain(made)

    def _explain(self, error: Exception) -> None:
        """Say what is wrong where it is wrong; a field nobody has come to yet is only still to be filled in."""
        problems = by_field(error, self.fields)
        missing = [
            name for name, problem in problems.items() if is_missing(name, problem) and not self.fields[name].touched
        ]
        self._blame({name: problem for name, problem in problems.items() if name not in missing})
        if missing:
            self._preview.wait(f"Fill in {' and '.join(missing)}.")
        elif problems:
            self._preview.dim()
        else:
            self._preview.fail(str(error))

    def _blame(self, problems: Mapping[str, str]) -> None:
        for name, field in self.fields.items():
            field.error = problems.get(name, "")

    def _fill(self, start: Mapping[str, Any]) -> None:
        owner = {alias: name for name, aliases in field_names(self.tool.request).items() for alias in aliases}
        given = {owner.get(alias, alias) for alias in start}
        try:
            self.tool.validate(start)
        except InvalidInput as error:
            problems = [detail for detail in error.details if field_of(detail) in given]
            if problems:
                raise invalid(problems) from None
        for alias, value in start.items():
            if value is not None:
                self.fields[owner[alias]].input.fill(value)

    def _layout(self) -> w.VBox:
        fields = w.Box([field.widget for field in self.fields.values()])
        fields.add_class("mediakit-fields")
        output = w.VBox([self._preview.widget, self._calls.widget])
        output.add_class("mediakit-output")
        columns = w.Box([fields, output])
        columns.add_class("mediakit-columns")
        title = (
            f"<div class='mediakit-title'><code>mediakit.{self.tool.name}</code> {html.escape(self.tool.summary)}</div>"
        )
        widget = w.VBox([w.HTML(f"<style>{_style()}</style>{title}"), columns])
        widget.add_class("mediakit-form")
        return widget

    def _ipython_display_(self) -> None:
        view = {**self.widget._repr_mimebundle_(), "text/plain": repr(self)}  # IPython's protocol
        display(view, raw=True)
        try:
            self._redraw.settle()
        finally:  # after an interrupt too: the style sheet hides what comes next
            self._plain.place(self._drawing.shown if self._drawing else None)

    def __repr__(self) -> str:
        return f"<form of mediakit.{self.tool.name}: run the cell to use it>"


def form(tool: Tool[P, R], **start: Any) -> Form[R]:
    """Show a tool as a form: every field, the result beside it while you type, and the call to copy.

    Args:
        tool: The tool, such as `mediakit.qr`.
        start: Values that the fields begin with.

    Raises:
        InvalidInput: A value to begin with is unknown or breaks a rule.
    """
    return Form(tool, start)


def _accepted(tool: Tool[..., Any], name: str) -> str:
    """Give the media types that fill a field, as file choosers want them."""
    return ",".join(media for media, field in tool.raw.items() if field == name)


@cache
def _style() -> str:
    return files(__package__).joinpath("form.css").read_text("utf-8")
