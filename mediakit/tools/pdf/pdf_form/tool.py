"""The tool `pdf_form`."""

from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.inputs import file_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.forms.field_info import FormOptions, FormOutcome
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import FORM
from mediakit.tools.pdf.pdf_form.request import PdfFormRequest
from mediakit.tools.pdf.pdf_form.result import PdfForm

META = {
    "size_bytes": meta_schemas.optional(meta_schemas.integer("Size of the PDF that was written.", 20335)),
    "filled": meta_schemas.texts("Full names of the fields that were filled.", "name", "newsletter"),
    "unknown": meta_schemas.texts("Names of values that no field has, with `strict=false`."),
    "warnings": meta_schemas.texts("What was removed, or is unreliable."),
}

VALUES = {
    "name": "Ada Lovelace",
    "email": "ada@example.com",
    "birthday": "10121815",
    "country": "United Kingdom",
    "ticket": "workshop",
    "meals": ["Vegetarian", "No nuts"],
    "newsletter": True,
}


@tool(
    PdfFormRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces=("application/pdf",),
    meta=META,
    errors=[NotConvertible],
    columns_field="values",
    licensed_packages={"PyMuPDF": "filling in `values`"},
    examples=[
        Example("The fields of a form", {"file": FORM}),
        Example("A filled form", {"file": FORM, "values": VALUES}),
        Example("A filled form whose fields cannot be changed", {"file": FORM, "values": VALUES, "flatten": True}),
    ],
)
async def pdf_form(request: PdfFormRequest) -> PdfForm:
    """List, fill and flatten the fields of a PDF form.

    Filled fields look the same in every viewer: their appearances are drawn here, with a font for every script.
    Without `values` and `flatten` the fields are listed. Scripts of the form are not run, so `meta.warnings` names
    the fields that they would calculate. Signatures are removed, because a change breaks them. Encrypted files stay
    encrypted with the same passwords.

    Raises:
        InvalidInput: The file is not a PDF, is encrypted or damaged, has no fields, or a field does not take its value.
        NotConvertible: The work took longer than 30 seconds.
    """
    options = FormOptions(request.values, request.flatten, request.strict, request.password)
    work = "mediakit.engines.pdf.forms.work:work"
    outcome = await run_guarded(work, file_of(request.file), options, returns=FormOutcome, guard=PDF)
    meta: dict[str, Any] = {"filled": outcome.filled, "unknown": outcome.unknown, "warnings": outcome.warnings}
    if outcome.content is None:
        return PdfForm(outcome.fields, outcome.pages, meta=meta)
    meta = {"size_bytes": len(outcome.content), "pages": outcome.pages, **meta}
    return PdfForm(outcome.fields, outcome.pages, PdfResult(outcome.content, meta=meta), meta=meta)
