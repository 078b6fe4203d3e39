"""`form(tool)`: the form of a tool, and the tools with a form of their own."""

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar, overload

from mediakit.core.introspection import readable
from mediakit.core.messages import quote
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.registry import TemplateCatalog
from mediakit.errors import InvalidInput
from mediakit.results.result import Result
from mediakit.tools.catalogue import load_tool
from mediakit.tools.images.capture import capture
from mediakit.tools.pdf.pdf import pdf
from mediakit.widgets.forms.form import Form
from mediakit.widgets.many.tab import ManyForm
from mediakit.widgets.tools.codes import QrForm
from mediakit.widgets.tools.data import (
    ChartForm,
    DataConvertForm,
    DataDiffForm,
    DataProfileForm,
    DataQueryForm,
    TableImageForm,
)
from mediakit.widgets.tools.images import CompareForm, ImagesForm, WatermarkForm
from mediakit.widgets.tools.merge import MailMergeForm
from mediakit.widgets.tools.pdf import PdfFillForm, PdfMergeForm, PdfPagesForm, PdfRedactForm, PdfStampForm
from mediakit.widgets.tools.samples import SampleForm
from mediakit.widgets.tools.templates import TemplateForm, values_of_call
from mediakit.widgets.tools.text import MarkdownForm, ValuesForm
from mediakit.widgets.tools.word import WordTemplateForm

P = ParamSpec("P")
R = TypeVar("R", bound=Result)

SPECIAL_FORMS: dict[str, type[Form[Any]]] = {
    "qr": QrForm,
    "barcode": ManyForm,
    "chart": ChartForm,
    "image_compare": CompareForm,
    "image_watermark": WatermarkForm,
    "images": ImagesForm,
    "mail_merge": MailMergeForm,
    "markdown_convert": MarkdownForm,
    "data_convert": DataConvertForm,
    "data_diff": DataDiffForm,
    "data_profile": DataProfileForm,
    "data_query": DataQueryForm,
    "docx_template": WordTemplateForm,
    "pdf_form": PdfFillForm,
    "pdf_merge": PdfMergeForm,
    "pdf_pages": PdfPagesForm,
    "pdf_redact": PdfRedactForm,
    "pdf_stamp": PdfStampForm,
    "data_sample": SampleForm,
    "table_image": TableImageForm,
    **dict.fromkeys(
        ("validate_email", "validate_phone", "validate_iban", "validate_tax_id", "validate_code"), ValuesForm
    ),
}
"""Forms by tool; all other tools have a form with one field per parameter."""


@overload
def form(tool: Tool[P, R], **values: Any) -> Form[R]: ...
@overload
def form(tool: str | TemplateCatalog | Template, **values: Any) -> Form[Result]: ...
@readable
def form(tool: Tool[..., Any] | str | TemplateCatalog | Template, **values: Any) -> Form[Any]:
    """Return a form for a tool with all its fields, a live preview and the call to copy.

    Args:
        tool: A tool or its name, such as `mediakit.qr` or `"qr"`, a template, or `mediakit.templates()` to select a
            template in the form. `capture` and `pdf` with a `template` open the form of templates, too.
        values: Initial values of the fields. The fields of a template are `lang`, `format` and its keys. `rows` of a
            form with the tab Many (templates, QR codes and barcodes) is a table, as in `mediakit.batch`.

    Raises:
        InvalidInput: An initial value is invalid, its field does not exist, or `tool` is not a tool.
        NotFound: No tool has this name.
    """
    if isinstance(tool, str):
        tool = load_tool(tool)
    if isinstance(tool, Tool) and (chosen := _template(tool, values)):
        return _with_rows(lambda rest: TemplateForm(chosen, values_of_call(tool, chosen, rest)), values)
    if isinstance(tool, TemplateCatalog | Template):
        return _with_rows(lambda rest: TemplateForm(tool if isinstance(tool, Template) else tool[0], rest), values)
    if not isinstance(tool, Tool):
        raise InvalidInput(f"tool: must be a tool, such as mediakit.qr, or its name, got {quote(tool)}.")
    made = SPECIAL_FORMS.get(tool.name, Form)
    if not issubclass(made, ManyForm):
        return made(tool, values)
    return _with_rows(lambda rest: made(tool, rest), values)


def _template(tool: Tool[..., Any], values: Mapping[str, Any]) -> Template | None:
    """Return the template of a call of `capture` or `pdf`; None if it has none, or an unknown one."""
    name = values.get("template")
    return TEMPLATES.get(name) if tool in (capture, pdf) and isinstance(name, str) else None


def _with_rows(make: Callable[[Mapping[str, Any]], ManyForm[Any]], values: Mapping[str, Any]) -> ManyForm[Any]:
    """Return a form with initial values, and with the rows that are one of them."""
    made = make({name: value for name, value in values.items() if name != "rows"})
    if values.get("rows") is not None:
        made.use_rows(values["rows"])
    return made
