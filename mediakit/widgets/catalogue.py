"""`form(tool)`: the form of a tool, and the tools with a form of their own."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ParamSpec, TypeVar, cast, overload

from mediakit.core.introspection import readable
from mediakit.core.messages import quote
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.registry import TemplateCatalog
from mediakit.errors import InvalidInput
from mediakit.results.result import Result
from mediakit.tools.catalogue import load_tool
from mediakit.widgets.forms.form import Form

P = ParamSpec("P")
R = TypeVar("R", bound=Result)

SPECIAL_FORMS: Mapping[str, str] = {
    "qr": "tools.codes:QrForm",
    "barcode": "many.tab:ManyForm",
    "chart": "tools.data:ChartForm",
    "image_compare": "tools.images:CompareForm",
    "image_watermark": "tools.images:WatermarkForm",
    "images": "tools.images:ImagesForm",
    "mail_merge": "tools.merge:MailMergeForm",
    "markdown_convert": "tools.text:MarkdownForm",
    "data_convert": "tools.data:DataConvertForm",
    "data_diff": "tools.data:DataDiffForm",
    "data_profile": "tools.data:DataProfileForm",
    "data_query": "tools.data:DataQueryForm",
    "docx_template": "tools.word:WordTemplateForm",
    "pdf_form": "tools.pdf:PdfFillForm",
    "pdf_merge": "tools.pdf:PdfMergeForm",
    "pdf_pages": "tools.pdf:PagesForm",
    "pdf_redact": "tools.pdf:PagesForm",
    "pdf_stamp": "tools.pdf:PagesForm",
    "table_image": "tools.data:TableImageForm",
    **dict.fromkeys(
        ("validate_email", "validate_phone", "validate_iban", "validate_tax_id", "validate_code"),
        "tools.text:ValuesForm",
    ),
}
"""Forms by tool, loaded on first use; all other tools have a form with one field per parameter."""

TABLE_FORMS = ("qr", "barcode")
"""Tools whose form has the tab Many."""


@overload
def form(tool: Tool[P, R], **values: Any) -> Form[R]: ...
@overload
def form(tool: str | TemplateCatalog | Template, **values: Any) -> Form[Result]: ...
@readable
def form(tool: Tool[..., Any] | str | TemplateCatalog | Template, **values: Any) -> Form[Any]:
    """Return a form for a tool with all its fields, a live preview and the call to copy.

    Args:
        tool: A tool or its name, such as `mediakit.qr` or `"qr"`, a template or its name, or `mediakit.templates()` to
            select a template in the form. `capture` and `pdf` with a `template` open the form of templates, too.
        values: Initial values of the fields. The fields of a template are `lang`, `format` and its keys. `rows` of a
            form with the tab Many (templates, QR codes and barcodes) is a table, as in `mediakit.batch`.

    Raises:
        InvalidInput: An initial value is invalid, its field does not exist, or `tool` is not a tool.
        NotFound: No tool has this name.
    """
    if isinstance(tool, str):
        tool = TEMPLATES.get(tool) or load_tool(tool)
    template = _template(tool, values)
    if not template and not isinstance(tool, Tool):
        raise InvalidInput(f"tool: must be a tool, such as mediakit.qr, or its name, got {quote(tool)}.")
    has_rows = template or (isinstance(tool, Tool) and tool.name in TABLE_FORMS)
    rows = values.pop("rows", None) if has_rows else None
    made: Form[Any]
    if template:
        from mediakit.widgets.tools.templates import TemplateForm, values_of_call

        made = TemplateForm(template, values_of_call(tool, template, values) if isinstance(tool, Tool) else values)
    elif isinstance(tool, Tool):
        module, _, name = SPECIAL_FORMS.get(tool.name, "forms.form:Form").partition(":")
        made = getattr(import_module(f"mediakit.widgets.{module}"), name)(tool, values)
    if rows is not None:
        cast("Any", made).use_rows(rows)
    return made


def _template(tool: Any, values: Mapping[str, Any]) -> Template | None:
    """Return a template, the first one of a catalog, or that of a call; None for other tools, or an unknown one."""
    if isinstance(tool, TemplateCatalog | Template):
        return tool if isinstance(tool, Template) else tool[0]
    name = values.get("template")
    is_of_template = isinstance(tool, Tool) and tool.name in ("capture", "pdf") and isinstance(name, str)
    return TEMPLATES.get(str(name)) if is_of_template else None
