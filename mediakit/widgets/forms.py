"""`form(tool)`: which form a tool gets."""

from typing import Any, ParamSpec, TypeVar, overload

from mediakit.core.tool import Tool
from mediakit.engines.templates import Template
from mediakit.engines.templates.gallery import Gallery
from mediakit.results.result import Result
from mediakit.widgets.chart_form import ChartForm
from mediakit.widgets.qr_form import QrForm
from mediakit.widgets.template_form import TemplateForm
from mediakit.widgets.tool_form import Form

P = ParamSpec("P")
R = TypeVar("R", bound=Result)

POLISHED: dict[str, type[Form[Any]]] = {"qr": QrForm, "chart": ChartForm}
"""Tools with a form of their own; every other one has a field a parameter."""


@overload
def form(tool: Tool[P, R], **start: Any) -> Form[R]: ...
@overload
def form(tool: Gallery | Template, **start: Any) -> Form[Result]: ...
def form(tool: Tool[..., Any] | Gallery | Template, **start: Any) -> Form[Any]:
    """Show a tool as a form: every field, the result beside it while you type, and the call to copy.

    Args:
        tool: The tool, such as `mediakit.qr`; or `mediakit.templates()`, for a form to pick and fill in a template.
        start: Values that the fields begin with; of a template `lang`, `format` and its keys.

    Raises:
        InvalidInput: A value to begin with is unknown or breaks a rule.
    """
    if isinstance(tool, Gallery | Template):
        return TemplateForm(tool if isinstance(tool, Template) else tool[0], start)
    return POLISHED.get(tool.name, Form)(tool, start)
