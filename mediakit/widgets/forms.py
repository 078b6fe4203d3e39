"""`form(tool)`: the form of a tool."""

from typing import Any, ParamSpec, TypeVar, overload

from mediakit.core.tool import Tool
from mediakit.engines.templates import Template
from mediakit.engines.templates.catalog import TemplateCatalog
from mediakit.results.result import Result
from mediakit.widgets.chart_form import ChartForm
from mediakit.widgets.qr_form import QrForm
from mediakit.widgets.template_form import TemplateForm
from mediakit.widgets.tool_form import Form

P = ParamSpec("P")
R = TypeVar("R", bound=Result)

SPECIAL_FORMS: dict[str, type[Form[Any]]] = {"qr": QrForm, "chart": ChartForm}
"""Forms by tool; all other tools have a form with one field per parameter."""


@overload
def form(tool: Tool[P, R], **values: Any) -> Form[R]: ...
@overload
def form(tool: TemplateCatalog | Template, **values: Any) -> Form[Result]: ...
def form(tool: Tool[..., Any] | TemplateCatalog | Template, **values: Any) -> Form[Any]:
    """Return a form for a tool with all its fields, a live preview and the call to copy.

    Args:
        tool: A tool, such as `mediakit.qr`, a template, or `mediakit.templates()` to select a template in the form.
        values: Initial values of the fields. The fields of a template are `lang`, `format` and its keys.

    Raises:
        InvalidInput: An initial value is invalid, or its field does not exist.
    """
    if isinstance(tool, TemplateCatalog | Template):
        return TemplateForm(tool if isinstance(tool, Template) else tool[0], values)
    return SPECIAL_FORMS.get(tool.name, Form)(tool, values)
