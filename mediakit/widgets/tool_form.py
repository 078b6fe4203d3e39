"""The form of a tool, with a preview that updates as the user types."""

import asyncio
import html
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Generic, TypeVar

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.core.request import field_names, invalid
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.results.result import Result
from mediakit.widgets.call_tabs import CallTabs
from mediakit.widgets.collapsible import Collapsible
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.field import Field
from mediakit.widgets.field_errors import by_field, field_of, missing_field
from mediakit.widgets.preview import DisplayData, Preview
from mediakit.widgets.static_output import StaticOutput, display

R = TypeVar("R", bound=Result)

BUSY_DELAY_SECONDS = 0.4
"""Time after which the preview shows that rendering is in progress."""

MAX_VISIBLE_FIELDS = 8
"""Further fields are collapsed."""

MIN_COLLAPSED_FIELDS = 3
"""Fewer fields are not worth collapsing."""


@dataclass(frozen=True)
class Rendered:
    """The result of a request, ready to display."""

    tool: Tool[..., Any]
    request: Any
    values: Mapping[str, Any]
    """The values of the request for code snippets."""
    display_data: DisplayData


class Form(Generic[R]):
    """A form with the fields of a tool and a preview of its result; the last line of a cell displays it."""

    def __init__(self, tool: Tool[..., R], values: Mapping[str, Any]) -> None:
        self.tool = tool
        self._preview = Preview(tool.name)
        self._calls = CallTabs()
        self._box = w.Box()
        self._collapsibles: dict[str, Collapsible] = {}
        self.fields = self._make_fields()
        """The fields by name; `control` of a field is its ipywidgets control."""
        self._fill(values)
        self.widget = self._layout()
        """The form as an ipywidgets box, for custom layouts."""
        self._rendered: Rendered | None = None
        self._static_output = StaticOutput(tool.name)
        self._update = DebouncedUpdate(self._render, self._show)
        self._observe(self.fields)
        self._update.schedule(delay=0)

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, ready for `tool(**form.values)`.

        Raises:
            InvalidInput: A field contains text that cannot be converted to a value.
        """
        return {name: value for name, field in self.fields.items() if (value := field.input.read()) is not None}

    @property
    def request(self) -> Any:
        """The validated request.

        Raises:
            InvalidInput: A field is missing or invalid.
        """
        return self.tool.validate(self.values)

    @property
    def result(self) -> R:
        """The result for the current values; waits for a running update.

        Raises:
            InvalidInput: A field is missing or invalid.
        """
        request = self.request
        self._update.wait()
        rendered = self._rendered
        if rendered and rendered.request == request:
            return rendered.display_data.result  # type: ignore[return-value]  # a result of `self.tool`
        return self.tool.run(request)

    def _make_fields(self) -> dict[str, Field]:
        return fields_of(self.tool)

    def _header(self) -> list[w.Widget]:
        """Return the widgets above the fields."""
        return []

    def _groups(self) -> Mapping[str, Collection[str]]:
        """Return the names of collapsed fields by title of their group."""
        rest = list(self.fields)[MAX_VISIBLE_FIELDS:]
        return {"More options": rest} if len(rest) >= MIN_COLLAPSED_FIELDS else {}

    def _arrange(self) -> None:
        """Show the current fields and groups."""
        groups = self._groups()
        collapsed = {name for names in groups.values() for name in names}
        for title, names in groups.items():
            if title not in self._collapsibles:
                self._collapsibles[title] = Collapsible(title, _widgets(self.fields[name] for name in names))
        visible = _widgets(field for name, field in self.fields.items() if name not in collapsed)
        self._box.children = [*self._header(), *visible, *(self._collapsibles[title].widget for title in groups)]

    def _observe(self, fields: Mapping[str, Field]) -> None:
        for field in fields.values():
            field.control.observe(lambda _, field=field: self._on_change(field), "value")

    def _on_change(self, field: Field) -> None:
        field.touched = True
        self._update.schedule()

    def _snippet_values(self) -> dict[str, Any]:
        """Return the values for code snippets."""
        return {name: field.input.snippet_value() for name, field in self.fields.items()}

    def _messages(self, error: Exception) -> dict[str, str]:
        """Return an error message per field."""
        return by_field(error, self.fields)

    async def _render(self) -> Rendered | Exception:
        busy = asyncio.get_running_loop().call_later(BUSY_DELAY_SECONDS, self._preview.show_busy)
        try:
            tool, request = self.tool, self.request
            values = self._snippet_values()
            result = await tool.arun(request)
            return Rendered(tool, request, values, await asyncio.to_thread(DisplayData.of, result))
        except Exception as error:  # noqa: BLE001  # the form shows every error
            return error
        finally:
            busy.cancel()

    def _show(self, rendered: Rendered | Exception) -> None:
        if isinstance(rendered, Rendered):
            self._rendered = rendered
            self._show_messages({})
            self._preview.show(rendered.display_data)
            self._calls.show(rendered.tool, rendered.values)
            self._static_output.update(rendered.display_data)
        else:
            self._show_error(rendered)

    def _show_error(self, error: Exception) -> None:
        """Show an error at its fields; a required field that is still empty shows no error until it is edited."""
        messages = self._messages(error)
        missing = {
            name: required
            for name, message in messages.items()
            if (required := missing_field(message)) and not self.fields[name].touched
        }
        self._show_messages({name: message for name, message in messages.items() if name not in missing})
        if missing:
            self._preview.show_missing(f"Fill in {' and '.join(missing.values())}.")
        elif messages:
            self._preview.dim()
        else:
            self._preview.show_error(str(error))

    def _show_messages(self, messages: Mapping[str, str]) -> None:
        """Show an error message at each of these fields, and remove those of the other fields."""
        for name, field in self.fields.items():
            field.error = messages.get(name, "")
        for title, names in self._groups().items():
            if not messages.keys().isdisjoint(names):
                self._collapsibles[title].open()

    def _fill(self, values: Mapping[str, Any]) -> None:
        """Show initial values.

        Raises:
            InvalidInput: An initial value is invalid. Other fields may be missing.
        """
        values = self.tool.bind(**values)
        name_of = {alias: name for name, aliases in field_names(self.tool.request).items() for alias in aliases}
        names = {name_of.get(alias, alias) for alias in values}
        try:
            self.tool.validate(values)
        except InvalidInput as error:
            details = [detail for detail in error.details if field_of(detail) in names]
            if details:
                raise invalid(details) from None
        for alias, value in values.items():
            if value is not None:
                self.fields[name_of[alias]].input.fill(value)

    def _title(self) -> str:
        code, summary = f"mediakit.{self.tool.name}", html.escape(self.tool.summary)
        return f"<div class='mediakit-title'><code>{code}</code> {summary}</div>"

    def _layout(self) -> w.VBox:
        self._box.add_class("mediakit-fields")
        self._arrange()
        output = w.VBox([self._preview.widget, self._calls.widget])
        output.add_class("mediakit-output")
        columns = w.Box([self._box, output])
        columns.add_class("mediakit-columns")
        widget = w.VBox([w.HTML(f"<style>{_style()}</style>{self._title()}"), columns])
        widget.add_class("mediakit-form")
        return widget

    def _ipython_display_(self) -> None:
        view = {**self.widget._repr_mimebundle_(), "text/plain": repr(self)}  # IPython's protocol
        display(view, raw=True)
        try:
            self._update.wait()
        finally:  # also after an interrupt, because the style sheet hides the next output
            self._static_output.place(self._rendered.display_data if self._rendered else None)

    def __repr__(self) -> str:
        return f"<Form of mediakit.{self.tool.name}: run the cell to use it>"


def fields_of(tool: Tool[..., Any], *, without: Collection[str] = ()) -> dict[str, Field]:
    """Return a new field for each parameter of a tool, except for those in `without`."""
    return {
        parameter.name: Field(_with_python_default(tool, parameter), _accepted(tool, parameter.name))
        for parameter in tool.parameters
        if parameter.name not in without
    }


def _with_python_default(tool: Tool[..., Any], parameter: Parameter) -> Parameter:
    """Return a parameter with the default of the Python call; the schema of some shows the default of one case only."""
    if parameter.default is not None and tool.__signature__.parameters[parameter.name].default is None:
        return replace(parameter, default=None)
    return parameter


def _widgets(fields: Iterable[Field]) -> list[w.Widget]:
    return list(dict.fromkeys(field.widget for field in fields))


def _accepted(tool: Tool[..., Any], name: str) -> str:
    """Return the media types that a file input accepts, comma-separated."""
    return ",".join(media for media, field in tool.raw.items() if field == name)


@cache
def _style() -> str:
    return files(__package__).joinpath("form.css").read_text("utf-8")
