"""A tool as a form that draws while somebody types."""

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
from mediakit.widgets.calls import Calls
from mediakit.widgets.field import Field
from mediakit.widgets.fold import Fold
from mediakit.widgets.plain import PlainOutput, display
from mediakit.widgets.preview import Preview, Shown
from mediakit.widgets.problems import by_field, field_of, is_missing
from mediakit.widgets.redraw import Redraw

R = TypeVar("R", bound=Result)

PATIENCE = 0.4
"""Seconds after which a drawing that takes its time says so."""


AT_ONCE = 8
"""Fields that are seen at once; where there are more than two others, these are folded."""


@dataclass(frozen=True)
class Drawing:
    """What the tool made of the fields."""

    tool: Tool[..., Any]
    request: Any
    values: Mapping[str, Any]
    """The request's values as snippets have them."""
    shown: Shown


class Form(Generic[R]):
    """A form over a tool's fields, with the result beside it; the last line of a cell shows it."""

    def __init__(self, tool: Tool[..., R], start: Mapping[str, Any]) -> None:
        self.tool = tool
        self._preview = Preview(tool.name)
        self._calls = Calls()
        self._box = w.Box()
        self._folds: dict[str, Fold] = {}
        self.fields = self._make_fields()
        """The fields by name; each has its ipywidgets `control`."""
        self._fill(start)
        self.widget = self._layout()
        """The form as an ipywidgets box, for layouts of one's own."""
        self._drawing: Drawing | None = None
        self._plain = PlainOutput(tool.name)
        self._redraw = Redraw(self._draw, self._show)
        self._watch(self.fields)
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

    def _make_fields(self) -> dict[str, Field]:
        return fields_of(self.tool)

    def _heads(self) -> list[w.Widget]:
        """Give what stands above the fields: nothing, or choices between groups of them."""
        return []

    def _groups(self) -> Mapping[str, Collection[str]]:
        """Name the fields of each fold by its title; the others are seen at once."""
        late = list(self.fields)[AT_ONCE:]
        return {"More options": late} if len(late) > 2 else {}

    def _arrange(self) -> None:
        """Show the fields of the moment."""
        groups = self._groups()
        folded = {name for names in groups.values() for name in names}
        for title, names in groups.items():
            if title not in self._folds:
                self._folds[title] = Fold(title, _widgets(self.fields[name] for name in names))
        seen = _widgets(field for name, field in self.fields.items() if name not in folded)
        self._box.children = [*self._heads(), *seen, *(self._folds[title].widget for title in groups)]

    def _watch(self, fields: Mapping[str, Field]) -> None:
        for field in fields.values():
            field.control.observe(lambda _, field=field: self._changed(field), "value")

    def _changed(self, field: Field) -> None:
        field.touched = True
        self._redraw.ask()

    def _written(self) -> dict[str, Any]:
        """Give the values as snippets have them."""
        return {name: field.input.written() for name, field in self.fields.items()}

    def _problems(self, error: Exception) -> dict[str, str]:
        """Say what is wrong, a sentence a field."""
        return by_field(error, self.fields)

    async def _draw(self) -> Drawing | Exception:
        slow = asyncio.get_running_loop().call_later(PATIENCE, self._preview.draw)
        try:
            tool, request = self.tool, self.request
            values = self._written()
            result = await tool.arun(request)
            return Drawing(tool, request, values, await asyncio.to_thread(Shown.of, result))
        except Exception as error:  # noqa: BLE001  # whatever it is, the form says it
            return error
        finally:
            slow.cancel()

    def _show(self, made: Drawing | Exception) -> None:
        if isinstance(made, Drawing):
            self._drawing = made
            self._blame({})
            self._preview.show(made.shown)
            self._calls.show(made.tool, made.values)
            self._plain.update(made.shown)
        else:
            self._explain(made)

    def _explain(self, error: Exception) -> None:
        """Say what is wrong where it is wrong; a field nobody has come to yet is only still to be filled in."""
        problems = self._problems(error)
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
        for title, names in self._groups().items():
            if not problems.keys().isdisjoint(names):
                self._folds[title].open()

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

    def _title(self) -> str:
        code, words = f"mediakit.{self.tool.name}", html.escape(self.tool.summary)
        return f"<div class='mediakit-title'><code>{code}</code> {words}</div>"

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
            self._redraw.settle()
        finally:  # after an interrupt too: the style sheet hides what comes next
            self._plain.place(self._drawing.shown if self._drawing else None)

    def __repr__(self) -> str:
        return f"<form of mediakit.{self.tool.name}: run the cell to use it>"


def fields_of(tool: Tool[..., Any], *, without: Collection[str] = ()) -> dict[str, Field]:
    """Make a field of every parameter of a tool, some left out."""
    return {
        parameter.name: Field(_as_called(tool, parameter), _accepted(tool, parameter.name))
        for parameter in tool.parameters
        if parameter.name not in without
    }


def _as_called(tool: Tool[..., Any], parameter: Parameter) -> Parameter:
    """Give a parameter the default of the call: of some, the one that HTTP tells is that of one case alone."""
    if parameter.default is not None and tool.__signature__.parameters[parameter.name].default is None:
        return replace(parameter, default=None)
    return parameter


def _widgets(fields: Iterable[Field]) -> list[w.Widget]:
    return list(dict.fromkeys(field.widget for field in fields))


def _accepted(tool: Tool[..., Any], name: str) -> str:
    """Give the media types that fill a field, as file choosers want them."""
    return ",".join(media for media, field in tool.raw.items() if field == name)


@cache
def _style() -> str:
    return files(__package__).joinpath("form.css").read_text("utf-8")
