"""The form of templates: pick one, fill in its texts, take it as a picture or as a PDF."""

import base64
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.gallery import thumbnail
from mediakit.engines.templates.items import ITEMS
from mediakit.engines.templates.keys import Key, hex_colour, picture
from mediakit.errors import InvalidInput
from mediakit.results.result import Result
from mediakit.tools.images.capture import capture
from mediakit.tools.pdf.pdf import pdf
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.field import Field
from mediakit.widgets.file_input import FileInput
from mediakit.widgets.fold import Fold
from mediakit.widgets.inputs import Input, labelled
from mediakit.widgets.item_rows import ItemRows
from mediakit.widgets.problems import by_field
from mediakit.widgets.tool_form import Form

LANGUAGES = ("en", "es")
TOOLS: Mapping[str, Tool[..., Any]] = {"png": capture, "jpeg": capture, "webp": capture, "pdf": pdf}
"""What draws a template, by the format that is asked for."""


class TemplateForm(Form[Result]):
    """A form of a template."""

    def __init__(self, template: Template, start: Mapping[str, Any]) -> None:
        self._template = template
        super().__init__(TOOLS["png"], start)

    def _make_fields(self) -> dict[str, Field]:
        self._lang = Field(_choice("lang", "Language of the texts that you leave empty.", LANGUAGES))
        self._output = Field(_choice("format", "A picture, or a PDF to print.", tuple(TOOLS)))
        self._made: dict[str, dict[str, Field]] = {}
        self._items: dict[str, ItemRows] = {}
        self._folds_of: dict[str, dict[str, Fold]] = {}
        self._picks = [self._pick(name) for name in TEMPLATES]
        self._lang.control.observe(lambda _: self._word(), "value")
        self._output.control.observe(lambda _: self._choose_tool(), "value")
        return self._active()

    def _active(self) -> dict[str, Field]:
        name = self._template.name
        if name not in self._made:
            made = {key.name: _key_field(key) for key in self._template.by_name.values()}
            self._made[name] = made
            self._folds_of[name] = self._folded(made)
        for button, other in zip(self._picks, TEMPLATES, strict=True):
            (button.add_class if other == name else button.remove_class)("mediakit-picked")
            button.tooltip = f"{other}, chosen" if other == name else f"Use the template {other}"
        self._folds = self._folds_of[name]
        self._word()
        self._preview.name = name
        return {"lang": self._lang, "format": self._output, **self._made[name]}

    def _folded(self, made: Mapping[str, Field]) -> dict[str, Fold]:
        """Fold the groups of the template; its items are a table."""
        folds = {}
        for title, names in self._template.groups.items():
            shown = [made[name].widget for name in names]
            if title == ITEMS:
                rows = ItemRows({name: made[name] for name in names}, _columns(names), self._example)
                self._items[self._template.name] = rows
                shown = [rows.widget]
            folds[title] = Fold(title, shown, is_open=title == ITEMS)
        return folds

    def _groups(self) -> Mapping[str, Collection[str]]:
        return self._template.groups

    def _example(self, name: str) -> str:
        return self._template.by_name[name].example(self._lang.control.value)

    def _title(self) -> str:
        return "<div class='mediakit-title'><code>mediakit.templates</code> Fill in a template.</div>"

    def _pick(self, name: str) -> w.Button:
        button = w.Button(description=name)
        button.add_class(f"mediakit-pick-{name}")
        button.on_click(lambda _: self._switch(name))
        return button

    def _switch(self, name: str) -> None:
        fresh = name not in self._made
        self._template = TEMPLATES[name]
        self.fields = self._active()
        if fresh:
            self._watch(self._made[name])
        self._arrange()
        self._redraw.ask(quiet=0)

    def _choose_tool(self) -> None:
        self.tool = TOOLS[self._output.control.value]

    def _word(self) -> None:
        """Write the examples in the chosen language."""
        for name, field in self._made[self._template.name].items():
            if isinstance(field.input, KeyInput):
                field.control.placeholder = self._example(name)
        if rows := self._items.get(self._template.name):
            rows.word()

    def _heads(self) -> list[w.Widget]:
        picks = w.Box(self._picks)
        picks.add_class("mediakit-picks")
        heading = w.HTML(f"<style>{_thumbnails()}</style><div class='mediakit-label'>template</div>")
        box = w.VBox([heading, picks, w.HTML(f"<div class='mediakit-help'>{HELP}</div>")])
        box.add_class("mediakit-wide")
        return [box]

    @property
    def values(self) -> dict[str, Any]:
        """The values for the tool; keys that are left empty keep their examples."""
        read = {name: self.fields[name].input.read() for name in self._template.by_name}
        data = {name: value for name, value in read.items() if value is not None}
        chosen = {"template": self._template.name, **({"data": data} if data else {}), "lang": self._lang.control.value}
        output = self._output.control.value
        return chosen if output == "pdf" else {**chosen, "format": output}

    def _written(self) -> dict[str, Any]:
        return self.values

    def _problems(self, error: Exception) -> dict[str, str]:
        if isinstance(error, InvalidInput) and not error.details and error.message.startswith("data."):
            error = InvalidInput(error.message.removeprefix("data."))
        return by_field(error, self.fields)

    def _fill(self, start: Mapping[str, Any]) -> None:
        for name, value in start.items():
            if name not in self.fields:
                raise InvalidInput(f"{name}: {self._template.name} has {', '.join(self.fields)}.")
            self.fields[name].input.fill(value)
        if rows := self._items.get(self._template.name):
            rows.arrange()
        self.tool.validate(self.values)


class KeyInput(Input):
    """A text of a template, its example in grey until somebody writes another one."""

    def __init__(self, parameter: Parameter, key: Key) -> None:
        kind = w.Textarea if key.max_length > LONG else w.Text
        more = {"rows": 2} if key.max_length > LONG else {}
        super().__init__(parameter, kind(placeholder=key.en, **labelled(parameter), **more))
        self.wide = key.max_length > MIDDLING

    def read(self) -> Any:
        """Give the text, None for none; blanks alone are an empty text, which hides its element."""
        text = self.control.value
        return (text if text.strip() else "") if text else None

    def fill(self, value: Any) -> None:
        """Write the text."""
        self.control.value = value or " "


class LogoInput(FileInput):
    """A picture from the reader's computer, as the data: URI that a template takes."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, "image/*")

    def read(self) -> Any:
        """Give the picture as a data: URI."""
        if not self.control.value:
            return super().read()
        file = self.control.value[0]
        return Result(bytes(file["content"]), file["type"]).data_uri()


MIDDLING, LONG = 80, 150
"""Characters from which on a text has the form's whole width, and several lines."""

HELP = "A text that you leave empty stays the example in grey; a single blank leaves it out."


def _columns(names: Collection[str]) -> list[str]:
    """Give the columns of `item1_name`, `item1_qty` ..."""
    return list(dict.fromkeys(name.partition("_")[2] for name in names))


def _key_field(key: Key) -> Field:
    if key.rule is picture:
        return Field(_parameter(key.name, "A picture of at most 200 KB."), made=LogoInput(_parameter(key.name, "")))
    parameter = _parameter(key.name, "")
    if key.rule is hex_colour:
        return Field(parameter, made=ColorInput(parameter, usual=key.en))
    return Field(parameter, made=KeyInput(parameter, key))


def _parameter(name: str, help_: str, **more: Any) -> Parameter:
    given: dict[str, Any] = {"kind": "text", "default": None, "choices": (), "schema": {}, **more}
    return Parameter(
        name=name, aliases=(), help=help_, required=False, minimum=None, maximum=None, max_length=None, **given
    )


def _choice(name: str, help_: str, choices: tuple[str, ...]) -> Parameter:
    return _parameter(name, help_, kind="choice", choices=choices, default=choices[0])


@cache
def _thumbnails() -> str:
    return "".join(
        f".mediakit-form .mediakit-pick-{template.name}{{background-image:url(data:image/webp;base64,"
        f"{base64.b64encode(thumbnail(template, 'en').read_bytes()).decode()})}}"
        for template in TEMPLATES.values()
    )
