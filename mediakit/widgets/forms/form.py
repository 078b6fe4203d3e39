"""The form of a tool, with a preview that updates as the user types."""

import asyncio
import html
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Generic, TypeVar, cast

import ipywidgets as w

from mediakit.core import snippets
from mediakit.core.introspection import PublicNames
from mediakit.core.parameters import Parameter
from mediakit.core.request import field_names, invalid
from mediakit.core.tool import Tool
from mediakit.errors import FieldError, InvalidInput, MediakitError
from mediakit.results.result import Result
from mediakit.widgets.forms.fields import Collapsible, Field, FieldMessage, by_field, field_name, fields_of, widgets_of
from mediakit.widgets.forms.notebook import cell_forms, cell_id, close_all, reopen_all
from mediakit.widgets.forms.output import RENDERING, DebouncedUpdate, OutputArea, Rendered, display
from mediakit.widgets.forms.state import FormState, Stateful
from mediakit.widgets.inputs.base import Input, alert, asset, group, markup, status, styled, vbox
from mediakit.widgets.inputs.rows import CodeFile

R = TypeVar("R", bound=Result)

BUSY_DELAY_SECONDS = 0.4
"""Time after which the preview shows that rendering is in progress."""

MAX_VISIBLE_FIELDS = 8
"""Further fields are collapsed."""

MIN_COLLAPSED_FIELDS = 3
"""Fewer fields are not worth collapsing."""


class Form(PublicNames, Generic[R]):
    """A form with the fields of a tool and a preview of its result; the last line of a cell displays it.

    Classes for some tools set the inputs that are not the usual ones, and which fields are visible.
    """

    _inputs_of_fields: ClassVar[Mapping[str, Callable[[Parameter], Input]]] = {}
    """Functions that make an input, by parameter."""
    _visible: ClassVar[Sequence[str]] = ()
    """Fields that are not collapsed, in their order; empty for the first ones."""
    _other_title: ClassVar[str] = "More options"
    """Title of the collapsed fields."""
    _file_suffix: ClassVar[str] = ""
    """What is added to the name of the input file for that of the download; empty for the name of the tool."""
    _heading: ClassVar[tuple[str, str] | None] = None
    """The name of the form within its cell, and what it does; None for the name and the summary of the tool."""

    def __init__(self, tool: Tool[..., R], values: Mapping[str, Any]) -> None:
        self.tool = tool
        self._is_closed = False
        self._output_area = OutputArea(tool.name)
        self._preview = self._output_area.preview
        self._box = group()
        self._collapsibles: dict[str, Collapsible] = {}
        self.fields = self._make_fields()
        """The fields by name; `control` of a field is its ipywidgets control."""
        self._update = DebouncedUpdate(self._render, self._show)
        self._fill(values)
        name, summary = self._heading or (tool.name, tool.summary)
        title = f"<div class='mediakit-title'><code>mediakit.{name}</code> {html.escape(summary)}</div>"
        front_end = self._output_area.front_end
        front_end.key = key = f"{name}/{cell_forms.number(name)}"
        self._form_state = FormState(f"{cell_id()}/{key}", title, self._stateful, self._on_reset, front_end)
        self.widget = self._layout()
        """The form as an ipywidgets box, for custom layouts."""
        self._observe(self.fields)
        self._form_state.load()
        self._update.schedule(delay=0)

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, ready for `tool(**form.values)`.

        Raises:
            InvalidInput: A field contains text that cannot be converted to a value.
        """
        return self._read_fields()

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
        rendered = self._output_area.rendered
        if rendered and rendered.request == request:
            return cast("R", rendered.result)
        return self.tool.run(request)

    def code(self, language: str = "python") -> str:
        """Return the call with the current values, to copy.

        Files that exist in memory only, such as uploads, are saved beside the notebook, so that the call runs.

        Args:
            language: `python`, `curl`, `javascript` (for Node.js), `http` (the raw request) or `shell` (the `mediakit`
                command).

        Raises:
            InvalidInput: The language is unknown, or a field is missing or invalid.
        """
        _ = self.request
        self._save_files()
        values = self._snippet_values()
        return self._python(values) if language == "python" else snippets.write(language, self.tool, values)

    def _python(self, values: Mapping[str, Any]) -> str:
        return snippets.python(self.tool, values)

    def _inputs(self) -> Iterable[Input | CodeFile]:
        """Return the parts of the form whose files the call names."""
        return (field.input for field in self.fields.values())

    def _save_files(self) -> None:
        """Save the files that the call names and that exist in memory only."""
        with self._step():
            for each in self._inputs():
                try:
                    each.save()
                except OSError as error:
                    text = f"The file cannot be saved beside the notebook: {error}."
                    self._preview.show_status(alert(text))

    def _read_fields(self) -> dict[str, Any]:
        """Return the values of the fields that are not empty."""
        return {name: value for name, field in self.fields.items() if (value := field.input.read()) is not None}

    def _make_fields(self) -> dict[str, Field]:
        inputs = {name: make(self._parameters[name]) for name, make in self._inputs_of_fields.items()}
        return fields_of(self.tool, inputs, self._visible)

    @property
    def _parameters(self) -> dict[str, Parameter]:
        return {parameter.name: parameter for parameter in self.tool.parameters}

    def _input(self, name: str) -> Any:
        return self.fields[name].input

    def _header(self) -> list[w.Widget]:
        """Return the widgets above the fields."""
        return []

    def _groups(self) -> Mapping[str, Collection[str]]:
        """Return the names of collapsed fields by title of their group."""
        if self._visible:
            return {self._other_title: [name for name in self.fields if name not in self._visible]}
        rest = list(self.fields)[MAX_VISIBLE_FIELDS:]
        return {self._other_title: rest} if len(rest) >= MIN_COLLAPSED_FIELDS else {}

    def _input_area(self) -> w.Widget:
        """Return the widget beside the preview: the fields, or tabs that contain them."""
        return self._box

    def _arrange(self) -> None:
        groups = self._groups()
        collapsed = {name for names in groups.values() for name in names}
        for title, names in groups.items():
            if title not in self._collapsibles:
                self._collapsibles[title] = Collapsible(title, widgets_of(self.fields[name] for name in names))
        visible = widgets_of(field for name, field in self.fields.items() if name not in collapsed)
        self._box.children = [*self._header(), *visible, *(self._collapsibles[title].widget for title in groups)]

    def _observe(self, fields: Mapping[str, Field]) -> None:
        for field in fields.values():
            field.control.observe(lambda _, field=field: self._on_change(field), "value")

    def _on_change(self, field: Field) -> None:
        field.touched = True
        self._form_state.record()
        self._update.schedule()

    def _on_reset(self) -> None:
        for field in self.fields.values():
            field.touched = False

    def _step(self) -> AbstractContextManager[None]:
        """Return a context manager; all changes in its block are undone together."""
        return self._form_state.history.step()

    def _all_fields(self) -> Mapping[str, Field]:
        """Return the fields, including those that are not displayed at the moment."""
        return self.fields

    def _stateful(self) -> Mapping[str, Stateful]:
        """Return the parts of the form whose state can be undone and kept, by name."""
        return {name: field.input for name, field in self._all_fields().items()}

    def _snippet_values(self) -> dict[str, Any]:
        return {name: field.input.snippet_value() for name, field in self.fields.items()}

    def _messages(self, error: Exception) -> dict[str, FieldMessage]:
        return by_field(error, self.fields)

    def _preview_request(self) -> Any:
        """Return the request of the preview, which may be a part of the request of the form."""
        return self.request

    def _on_result(self, result: R) -> None:
        """Show what belongs to a result, besides the preview."""

    async def _render(self) -> Rendered | Exception:
        busy = asyncio.get_running_loop().call_later(BUSY_DELAY_SECONDS, self._preview.show_status, RENDERING)
        try:
            tool, request = self.tool, self._preview_request()
            values = self._snippet_values()
            python = self._python(values)
            unsaved = [name for each in self._inputs() for name in each.unsaved()]
            result = await tool.arun(request)
            self._on_result(result)
            bundle = await asyncio.to_thread(result._repr_mimebundle_)  # IPython's protocol
            return Rendered(tool, request, values, python, unsaved, result, *bundle)
        except Exception as error:  # noqa: BLE001  # the form shows every error
            return error
        finally:
            busy.cancel()

    def _show(self, rendered: Rendered | Exception) -> None:
        if self._is_closed:
            return
        self._form_state.save()
        if isinstance(rendered, Rendered):
            self._preview.name = self._download_name(rendered.result)
            self._show_messages({})
            self._output_area.show(rendered)
        else:
            self._show_error(rendered)

    def _download_name(self, result: Any) -> str:  # noqa: ARG002  # names of images have their size
        """Return the name of the downloaded file, without its suffix."""
        stem = self._input("file").stem if self._file_suffix else ""
        return f"{stem}-{self._file_suffix}" if stem else self.tool.name

    def _show_error(self, error: Exception) -> None:
        """Show an error at its fields. Before the first edit, show what to fill in instead."""
        messages = self._messages(error)
        names = " and ".join(messages) or "the error above"
        self._output_area.block(f"This is not the call of the current values: first fix {names}.")
        is_edited = any(field.touched for field in self.fields.values())
        hints = {name for name, message in messages.items() if message.missing and not self.fields[name].touched}
        shown = {name: message.text for name, message in messages.items() if name not in hints}
        self._show_messages(shown if is_edited else {})
        if hints:
            missing = " and ".join(messages[name].missing for name in messages if name in hints)
            self._preview.show_status(status(f"Fill in {missing}.", "status"))
        elif not is_edited:
            self._preview.show_status(status(str(error), "status"))
        elif messages:
            self._preview.dim(names)
        else:
            self._preview.show_status(alert(str(error)))

    def _show_messages(self, messages: Mapping[str, str]) -> None:
        """Show an error message at each of these fields, and remove those of the other fields."""
        for name, field in self.fields.items():
            field.show_error(messages.get(name, ""))
        for title, names in self._groups().items():
            if not messages.keys().isdisjoint(names):
                self._collapsibles[title].open()

    def _fill(self, values: Mapping[str, Any]) -> None:
        """Show initial values. An invalid one raises an error; other fields may be missing."""
        name_of = {alias: name for name, aliases in field_names(self.tool.request).items() for alias in aliases}
        names = {name_of.get(alias, alias) for alias in values}
        try:
            values = self.tool.bind(**values)
        except InvalidInput as error:
            raise invalid(_of_fields(error, names) or list(error.details)) if error.details else error from None
        try:
            self.tool.validate(values)
        except InvalidInput as error:
            if details := _of_fields(error, names):
                raise invalid(details) from None
        for alias, value in values.items():
            if value is not None:
                self.fields[name_of[alias]].input.fill(value)

    def _follow(
        self, names: Iterable[str], load: Callable[[], Awaitable[Any]], show: Callable[[Any], None]
    ) -> DebouncedUpdate[Any]:
        """Return an update, now and after each change of some fields; it shows None for what cannot be loaded."""

        async def loaded() -> Any:
            try:
                return await load()
            except (MediakitError, ValueError):  # the preview shows the error of the tool
                return None

        update = DebouncedUpdate(loaded, show)
        for name in names:
            self._all_fields()[name].control.observe(lambda _: update.schedule(), "value")
        update.schedule(delay=0)
        return update

    def _layout(self) -> w.VBox:
        styled(self._box, "fields")
        self._arrange()
        columns = group([self._input_area(), self._output_area.widget], "columns")
        style = markup(f"<style>{asset('form.css')}{asset('tools.css')}</style>", "style")
        widget = vbox([style, self._form_state.widget, columns], "form")
        self._output_area.front_end.form = widget.model_id
        self._output_area.front_end.on_msg(lambda *_: self._save_files())  # when the call is copied
        return widget

    def close(self) -> None:
        """Close the widgets of the form. Its values and its result stay available."""
        self._is_closed = True
        close_all(self._roots())

    def _roots(self) -> list[w.Widget]:
        """Return the widgets that contain all others, also those that are not displayed."""
        fields = self._all_fields().values()
        return [self.widget, *widgets_of(fields), *(field.control for field in fields)]

    def _ipython_display_(self) -> None:
        if self._is_closed:
            self._is_closed = False
            reopen_all(self._roots())
        cell_forms.add(self)
        # Front ends that cannot show the widget show the HTML.
        view = {
            **self.widget._repr_mimebundle_(),  # IPython's protocol
            "text/html": self._output_area.without_widgets(self.tool),
            "text/plain": repr(self),
        }
        # The script removes this output from the saved file, and shows the form again if its kernel still runs.
        display(view, metadata={"mediakit": {"form": self.widget.model_id}}, raw=True)
        try:
            self._update.wait()
        finally:  # also after an interrupt, because the style sheet hides the next output
            self._output_area.place_static()

    def _mime_(self) -> tuple[str, str]:
        """Return the form for marimo, which has no widgets of Jupyter: what to do instead, and the result."""
        self._update.wait()
        return "text/html", self._output_area.without_widgets(self.tool, with_result=True)

    def __repr__(self) -> str:
        return f"<Form of mediakit.{self.tool.name}: run the cell to use it>"


def _of_fields(error: InvalidInput, names: Collection[str]) -> list[FieldError]:
    return [detail for detail in error.details if field_name(detail["field"]) in names]
