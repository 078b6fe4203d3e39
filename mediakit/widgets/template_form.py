"""The form of templates: pick one, fill in its texts, take it as a picture or as a PDF."""

import base64
from collections.abc import Mapping
from functools import cache
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.core.results import Result
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.gallery import thumbnail
from mediakit.engines.templates.keys import Key, picture
from mediakit.errors import InvalidInput
from mediakit.tools.capture import capture
from mediakit.tools.pdf import pdf
from mediakit.widgets.field import Field
from mediakit.widgets.file_input import FileInput
from mediakit.widgets.form import Form
from mediakit.widgets.inputs import Input, labelled
from mediakit.widgets.problems import by_field

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
        self._picks = [self._pick(name) for name in TEMPLATES]
        self._lang.control.observe(lambda _: self._word(), "value")
        self._output.control.observe(lambda _: self._choose_tool(), "value")
        return self._active()

    def _active(self) -> dict[str, Field]:
        name = self._template.name
        if name not in self._made:
            self._made[name] = {key.name: _key_field(key) for key in self._template.by_name.values()}
        for button, other in zip(self._picks, TEMPLATES, strict=True):
            (button.add_class if other == name else button.remove_class)("mediakit-picked")
        self._word()
        self._preview.name = name
        return {"lang": self._lang, "format": self._output, **self._made[name]}

    def _pick(self, name: str) -> w.Button:
        button = w.Button(description=name, tooltip=f"Use the template {name}")
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
        for key in self._template.by_name.values():
            fields = self._made.get(self._template.name)
            if fields and isinstance(fields[key.name].input, KeyInput):
                fields[key.name].control.placeholder = key.example(self._lang.control.value)

    def _heads(self) -> list[w.Widget]:
        picks = w.Box(self._picks)
        picks.add_class("mediakit-picks")
        box = w.VBox([w.HTML(f"<style>{_thumbnails()}</style><div class='mediakit-label'>template</div>"), picks])
        box.add_class("mediakit-wide")
        return [box]

    @property
    def values(self) -> dict[str, Any]:
        """The values for the tool; keys that are left empty keep their examples."""
        data = {name: value for name in self._template.by_name if (value := self.fields[name].input.read())}
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
        self.tool.validate(self.values)


class KeyInput(Input):
    """A text of a template, its example in grey until somebody writes another one."""

    def __init__(self, parameter: Parameter, key: Key) -> None:
        kind = w.Textarea if key.max_length > LONG else w.Text
        more = {"rows": 2} if key.max_length > LONG else {}
        super().__init__(parameter, kind(placeholder=key.en, **labelled(parameter), **more))
        self.wide = key.max_length > MIDDLING


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


def _key_field(key: Key) -> Field:
    if key.rule is picture:
        return Field(_parameter(key.name, "A picture of at most 200 KB."), made=LogoInput(_parameter(key.name, "")))
    parameter = _parameter(key.name, "")
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
