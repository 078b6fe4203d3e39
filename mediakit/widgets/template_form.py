"""The form of templates: select a template, fill in its texts, and create an image or a PDF."""

import base64
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import ipywidgets as w

from mediakit.core.messages import nearest
from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.items import ITEMS_GROUP
from mediakit.engines.templates.keys import Key
from mediakit.engines.templates.preview import thumbnail_path
from mediakit.errors import InvalidInput
from mediakit.results.result import Result
from mediakit.tools.images.capture import capture
from mediakit.tools.pdf.pdf import pdf
from mediakit.widgets.collapsible import Collapsible
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.field import Field
from mediakit.widgets.field_errors import by_field
from mediakit.widgets.file_input import FileInput
from mediakit.widgets.inputs import Input, labeled
from mediakit.widgets.item_rows import ItemRows
from mediakit.widgets.tool_form import Form

LANGUAGES = ("en", "es")
TOOL_BY_FORMAT: Mapping[str, Tool[..., Any]] = {"png": capture, "jpeg": capture, "webp": capture, "pdf": pdf}


class TemplateForm(Form[Result]):
    """The form of a template."""

    def __init__(self, template: Template, values: Mapping[str, Any]) -> None:
        self._template = template
        super().__init__(TOOL_BY_FORMAT["png"], values)

    def _make_fields(self) -> dict[str, Field]:
        self._lang = Field(_choice("lang", "Language of the example texts.", LANGUAGES))
        self._output = Field(_choice("format", "Image format, or PDF.", tuple(TOOL_BY_FORMAT)))
        self._fields_by_template: dict[str, dict[str, Field]] = {}
        self._item_rows: dict[str, ItemRows] = {}
        self._collapsibles_by_template: dict[str, dict[str, Collapsible]] = {}
        self._template_buttons = [self._template_button(name) for name in TEMPLATES]
        self._lang.control.observe(lambda _: self._update_placeholders(), "value")
        self._output.control.observe(lambda _: self._update_tool(), "value")
        return self._activate()

    def _activate(self) -> dict[str, Field]:
        """Show the current template as selected, and return its fields."""
        name = self._template.name
        if name not in self._fields_by_template:
            fields = {key.name: _key_field(key) for key in self._template.by_name.values()}
            self._fields_by_template[name] = fields
            self._collapsibles_by_template[name] = self._new_collapsibles(fields)
        for button, other in zip(self._template_buttons, TEMPLATES, strict=True):
            (button.add_class if other == name else button.remove_class)("mediakit-picked")
            button.tooltip = f"{other}, selected" if other == name else f"Use the {other} template"
        self._collapsibles = self._collapsibles_by_template[name]
        self._update_placeholders()
        self._preview.name = name
        return {"lang": self._lang, "format": self._output, **self._fields_by_template[name]}

    def _new_collapsibles(self, fields: Mapping[str, Field]) -> dict[str, Collapsible]:
        """Return the collapsible groups of the template. Its items are shown as a table."""
        collapsibles = {}
        for title, names in self._template.groups.items():
            widgets = [fields[name].widget for name in names]
            if title == ITEMS_GROUP:
                rows = ItemRows({name: fields[name] for name in names}, _columns(names), self._example)
                self._item_rows[self._template.name] = rows
                widgets = [rows.widget]
            collapsibles[title] = Collapsible(title, widgets, is_open=title == ITEMS_GROUP)
        return collapsibles

    def _groups(self) -> Mapping[str, Collection[str]]:
        return self._template.groups

    def _example(self, name: str) -> str:
        return self._template.by_name[name].example(self._lang.control.value)

    def _title(self) -> str:
        return "<div class='mediakit-title'><code>mediakit.templates</code> Fill in a template.</div>"

    def _template_button(self, name: str) -> w.Button:
        button = w.Button(description=name)
        button.add_class(f"mediakit-pick-{name}")
        button.on_click(lambda _: self._select(name))
        return button

    def _select(self, name: str) -> None:
        is_new = name not in self._fields_by_template
        self._template = TEMPLATES[name]
        self.fields = self._activate()
        if is_new:
            self._observe(self._fields_by_template[name])
        self._arrange()
        self._update.schedule(delay=0)

    def _update_tool(self) -> None:
        self.tool = TOOL_BY_FORMAT[self._output.control.value]

    def _update_placeholders(self) -> None:
        """Show the example texts in the selected language."""
        for name, field in self._fields_by_template[self._template.name].items():
            if isinstance(field.input, KeyInput):
                field.control.placeholder = self._example(name)
        if rows := self._item_rows.get(self._template.name):
            rows.update_placeholders()

    def _header(self) -> list[w.Widget]:
        buttons = w.Box(self._template_buttons)
        buttons.add_class("mediakit-picks")
        heading = w.HTML(f"<style>{_thumbnails()}</style><div class='mediakit-label'>template</div>")
        box = w.VBox([heading, buttons, w.HTML(f"<div class='mediakit-help'>{HELP}</div>")])
        box.add_class("mediakit-wide")
        return [box]

    @property
    def values(self) -> dict[str, Any]:
        """The values for the tool, without empty texts."""
        texts = {name: self.fields[name].input.read() for name in self._template.by_name}
        data = {name: value for name, value in texts.items() if value is not None}
        values = {"template": self._template.name, **({"data": data} if data else {}), "lang": self._lang.control.value}
        output = self._output.control.value
        return values if output == "pdf" else {**values, "format": output}

    def _snippet_values(self) -> dict[str, Any]:
        return self.values

    def _messages(self, error: Exception) -> dict[str, str]:
        if isinstance(error, InvalidInput) and not error.details and error.message.startswith("data."):
            error = InvalidInput(error.message.removeprefix("data."))
        return by_field(error, self.fields)

    def _fill(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            if name not in self.fields:
                suggestion = nearest(name, list(self.fields))
                raise InvalidInput(f"{name}: is not a field of the template {self._template.name}; {suggestion}")
            self.fields[name].input.fill(value)
        if rows := self._item_rows.get(self._template.name):
            rows.arrange()
        self.tool.validate(self.values)


class KeyInput(Input):
    """A text of a template, with its example as the placeholder."""

    def __init__(self, parameter: Parameter, key: Key) -> None:
        is_long = key.max_length > MULTILINE_LENGTH
        control = w.Textarea if is_long else w.Text
        options = {"rows": 2} if is_long else {}
        super().__init__(parameter, control(placeholder=key.en, **labeled(parameter), **options))
        self.wide = key.max_length > WIDE_LENGTH

    def read(self) -> Any:
        """Return the text; None if the field is empty, and an empty text, which hides the element, for spaces."""
        text = self.control.value
        return (text if text.strip() else "") if text else None

    def fill(self, value: Any) -> None:
        """Show a text; an empty text is shown as a space."""
        self.control.value = value or " "


class LogoInput(FileInput):
    """An input for an uploaded image, whose value is a data: URI."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, "image/*")

    def read(self) -> Any:
        """Return the image as a data: URI."""
        if not self.control.value:
            return super().read()
        file = self.control.value[0]
        return Result(bytes(file["content"]), file["type"]).data_uri()


WIDE_LENGTH = 80
"""Texts with a higher maximum length use the full width of the form."""

MULTILINE_LENGTH = 150
"""Texts with a higher maximum length have several lines."""

HELP = "Empty fields print the gray example text. Enter a space to hide the field."


def _columns(names: Collection[str]) -> list[str]:
    """Return the columns `name`, `qty` ... of the keys `item1_name`, `item1_qty` ..."""
    return list(dict.fromkeys(name.partition("_")[2] for name in names))


def _key_field(key: Key) -> Field:
    if key.format == "image":
        help_ = "PNG, JPEG or SVG image of at most 200 KB."
        return Field(_parameter(key.name, help_), custom_input=LogoInput(_parameter(key.name, "")))
    parameter = _parameter(key.name, "")
    if key.format == "color":
        return Field(parameter, custom_input=ColorInput(parameter, default=key.en))
    return Field(parameter, custom_input=KeyInput(parameter, key))


def _parameter(name: str, help_: str, **options: Any) -> Parameter:
    options = {"kind": "text", "default": None, "choices": (), "schema": {}, **options}
    return Parameter(
        name=name, aliases=(), help=help_, required=False, minimum=None, maximum=None, max_length=None, **options
    )


def _choice(name: str, help_: str, choices: tuple[str, ...]) -> Parameter:
    return _parameter(name, help_, kind="choice", choices=choices, default=choices[0])


@cache
def _thumbnails() -> str:
    return "".join(
        f".mediakit-form .mediakit-pick-{template.name}{{background-image:url(data:image/webp;base64,"
        f"{base64.b64encode(thumbnail_path(template.name, 'en').read_bytes()).decode()})}}"
        for template in TEMPLATES.values()
    )
