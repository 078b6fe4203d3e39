"""The options of `capture` and `pdf` in the form of templates, besides the template and its texts."""

from collections.abc import Mapping
from typing import Any

from mediakit.core.tool import Tool
from mediakit.engines.templates import Template
from mediakit.tools.images.capture import capture
from mediakit.tools.pdf.pdf import pdf
from mediakit.widgets.field import Field
from mediakit.widgets.fields import field_of

OTHER_FIELDS = ("html", "template", "data", "lang", "style")
"""Fields of both tools that the form has in another place, or that a template does not use."""

NAMES = {capture.name: {"format": ""}, pdf.name: {"format": "paper"}}
"""The names in the form; the form's own `format` is the file format. An empty name leaves an option out."""


class TemplateOptions:
    """The fields of the options by tool."""

    def __init__(self) -> None:
        self._fields = {tool.name: _fields(tool) for tool in (capture, pdf)}

    def fields(self, tool: Tool[..., Any]) -> Mapping[str, Field]:
        """Return the fields of a tool by their names in the form."""
        return self._fields[tool.name]

    def all_fields(self) -> dict[str, Field]:
        """Return the fields of both tools; their names contain the name of the tool."""
        return {f"{tool}.{name}": field for tool, fields in self._fields.items() for name, field in fields.items()}

    def values(self, tool: Tool[..., Any]) -> dict[str, Any]:
        """Return the values of a tool's options that differ from their defaults."""
        arguments = tool.__signature__.parameters
        names = {name: original for original, name in NAMES[tool.name].items()}
        read = {names.get(name, name): field.input.read() for name, field in self.fields(tool).items()}
        return {name: value for name, value in read.items() if value not in (None, arguments[name].default)}


def title_of(tool: Tool[..., Any]) -> str:
    """Return the title of the group with a tool's options."""
    return "PDF options" if tool is pdf else "Image options"


def values_of_call(tool: Tool[..., Any], template: Template, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `capture` or `pdf` with a template as values of the form.

    Keys of the template can also be passed outside `data`.

    Raises:
        InvalidInput: A value is invalid.
    """
    known = {parameter.name for parameter in tool.parameters}
    texts = {name: value for name, value in values.items() if name in template.by_name and name not in known}
    call = {name: value for name, value in values.items() if name not in texts}
    arguments = tool.arguments.bind(**call)
    tool.validate(arguments)
    data = {**(values.get("data") or {}), **texts}  # as they were passed: paths of images stay paths
    names = NAMES[tool.name]
    options = {
        names.get(name, "") or name: value
        for name, value in arguments.items()
        if name not in ("template", "data") and value is not None
    }
    return {**options, **({"format": "pdf"} if tool is pdf else {}), **data}


def _fields(tool: Tool[..., Any]) -> dict[str, Field]:
    names = [(parameter, NAMES[tool.name].get(parameter.name, parameter.name)) for parameter in tool.parameters]
    return {
        name: field_of(tool, parameter, name)
        for parameter, name in names
        if name and parameter.name not in OTHER_FIELDS
    }
