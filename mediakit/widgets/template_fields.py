"""The fields of a template: its keys and its style."""

from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.engines.templates import Template
from mediakit.engines.templates.manifest import Key
from mediakit.results.files import FileResult
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.field import Field
from mediakit.widgets.file_input import FileInput
from mediakit.widgets.inputs import Input, labeled
from mediakit.widgets.style_input import StyleInput

WIDE_LENGTH = 80
"""Texts with a higher maximum length use the full width of the form."""

MULTILINE_LENGTH = 150
"""Texts with a higher maximum length have several lines."""


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
        """Return the image as a data: URI, or the path of the image."""
        if not self.control.value:
            return super().read()
        file = self.control.value[0]
        return FileResult(bytes(file["content"]), file["type"]).data_uri()

    def snippet_value(self) -> Any:
        """Return the path of the image; an uploaded image has none until it is saved."""
        return self.read()


def style_field(template: Template) -> dict[str, Field]:
    """Return the field for the style; none for a template with one style."""
    if len(template.styles) == 1 or "style" in template.by_name:
        return {}
    styles = choice("style", "", template.styles)
    return {"style": Field(styles, custom_input=StyleInput(styles, template))}


def key_field(key: Key) -> Field:
    """Return the field for a key."""
    if key.format == "image":
        help_ = f"PNG, JPEG, WebP or SVG image of at most {key.max_size}."
        return Field(parameter(key.name, help_), custom_input=LogoInput(parameter(key.name, "")))
    text = parameter(key.name, "")
    if key.format == "color":
        return Field(text, custom_input=ColorInput(text, default=key.en))
    return Field(text, custom_input=KeyInput(text, key))


def parameter(name: str, help_: str, **options: Any) -> Parameter:
    """Return a parameter that is not one of a tool."""
    options = {"kind": "text", "default": None, "choices": (), "schema": {}, **options}
    return Parameter(
        name=name, aliases=(), help=help_, required=False, minimum=None, maximum=None, max_length=None, **options
    )


def choice(name: str, help_: str, choices: tuple[str, ...]) -> Parameter:
    """Return a choice whose first value is the default."""
    return parameter(name, help_, kind="choice", choices=choices, default=choices[0])
