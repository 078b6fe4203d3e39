"""`pdf_form`: lists, fills and flattens the fields of a PDF form."""

from dataclasses import KW_ONLY
from typing import Annotated, Any

from pydantic import Field, PlainValidator, WithJsonSchema

from mediakit.core import meta_schemas
from mediakit.core.fields import Password
from mediakit.core.inputs import PdfFile, file_of, is_missing
from mediakit.core.messages import nearest, quote, readable_size
from mediakit.core.request import plain, request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, Wire, tool
from mediakit.display import ShownColumn, table_html
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.forms import FieldInfo, FieldValue, FormOptions, FormOutcome
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.results.data import DataResult
from mediakit.results.files import PdfResult
from mediakit.results.result import Bundle, ListResult
from mediakit.samples import FORM

MAX_VALUES = 5000
"""Fields of one call."""

MAX_OPTIONS = 1000
"""Options of one field."""

_SCHEMA = {
    "type": "object",
    "maxProperties": MAX_VALUES,
    "additionalProperties": {
        "anyOf": [
            *({"type": kind} for kind in ("string", "number", "boolean", "null")),
            {"type": "array", "items": {"type": "string"}, "maxItems": MAX_OPTIONS},
        ]
    },
    "examples": [{"name": "Ada Lovelace", "newsletter": True}],
}


def _check_values(values: object) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise ValueError(f"must be an object, got {quote(values)}.")  # noqa: TRY004  # pydantic turns ValueError into a message
    if len(values) > MAX_VALUES:
        raise ValueError(f"must have at most {MAX_VALUES} items, got {len(values)}.")
    return {str(name): _check_value(str(name), value) for name, value in values.items()}


def _check_value(name: str, value: Any, *, is_option: bool = False) -> Any:
    if isinstance(value, list | tuple) and not is_option:
        if len(value) > MAX_OPTIONS:
            raise ValueError(f"{name} must have at most {MAX_OPTIONS} items, got {len(value)}.")
        return [_check_value(name, item, is_option=True) for item in value]
    known = None if is_missing(value) else plain(value)
    if known is None or isinstance(known, str | bool | int | float):
        return known
    raise ValueError(f"{name} must be text, a number, true, false, null or a list of options, got {quote(value)}.")


FieldValues = Annotated[dict[str, Any], PlainValidator(_check_values), WithJsonSchema(_SCHEMA)]
"""Values by the name of their field."""


@request
class PdfFormRequest:
    """A PDF form and what to fill in."""

    file: PdfFile
    """The PDF."""
    values: Annotated[FieldValues | None, Synonyms("data, fields, fill, form")] = None
    """Values by the full name of the field (`person.name`), or by its last part if no other field has it. Text or a
    number for text; true, false or the export value for check boxes; one option for radio buttons and choices, a list
    for several; null clears. Without values, the fields are only listed."""
    _: KW_ONLY
    flatten: Annotated[bool, Synonyms("flat, readonly, lock")] = False
    """Draw all fields into the pages and remove the form, after filling."""
    strict: bool = True
    """Refuse names that no field has; else they are ignored, and `meta.unknown` lists them."""
    password: Password | None = None
    """The password of an encrypted file."""


COLUMNS = ("name", "type", "value", "options", "label", "page")
"""Columns of the table that a notebook shows."""

EXAMPLE = {
    "name": "country", "type": "choice", "value": "FR", "default": None, "options": ["ES", "FR"],
    "option_labels": ["Spain", "France"], "required": True, "read_only": False, "multiline": False, "multiple": False,
    "editable": False, "max_length": None, "label": "Country", "page": 1, "x0": 56.0, "y0": 120.5, "x1": 300.0,
    "y1": 142.5,
}  # fmt: skip


class PdfForm(ListResult[FieldInfo], DataResult):
    """The fields of a form, by position or name: `form["city"].value`. `pdf` is the filled or flattened PDF."""

    _wire = Wire(outputs=("json", "binary", "url", "pdf"), is_data=True)
    _items = "fields"

    fields: Annotated[list[FieldInfo], Field(examples=[[EXAMPLE]])]
    """The fields, in the order of the form."""
    pages: Annotated[int, Field(examples=[1])]
    """Number of pages of the PDF."""
    pdf: PdfResult | None = None
    """The file, if one was made."""

    @property
    def values(self) -> dict[str, FieldValue]:
        """The values of all fields that can have one, by full name."""
        return {field.name: field.value for field in self if field.type not in ("button", "signature")}

    def _facts(self) -> str:
        return f"{len(self)} {'field' if len(self) == 1 else 'fields'}"

    def _caption(self) -> str:
        return "" if self.pdf is None else f"{self.pdf._caption()} · {self._facts()}"

    def __getitem__(self, key: int | str) -> FieldInfo:
        if isinstance(key, int):
            return self.fields[key]
        found = next((field for field in self if field.name == key), None)
        if found is None:
            raise InvalidInput(f"field: there is no field {quote(key)}; {nearest(key, [each.name for each in self])}")
        return found

    def _bundle(self) -> Bundle:
        if self.pdf is not None:
            return self._file_bundle()
        columns = [ShownColumn(name, "", name == "page") for name in COLUMNS]
        rows = [[_shown(row[name]) for name in COLUMNS] for row in self._rows()]
        caption = f"PDF form · {self._facts()} · {self.pages} {'page' if self.pages == 1 else 'pages'}"
        return {"text/html": table_html(columns, rows, caption, len(rows))}, {}

    def __repr__(self) -> str:
        written = f", {readable_size(len(self.content))}" if self.pdf else ""
        return f"<PdfForm {self._facts()}{written}>"


def _shown(value: Any) -> str | None:
    """Return a cell as text; empty instead of null, which would fill the table."""
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


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
    work = "mediakit.engines.pdf.forms.filling:work"
    outcome = await run_guarded(work, file_of(request.file), options, returns=FormOutcome, guard=PDF)
    meta: dict[str, Any] = {"filled": outcome.filled, "unknown": outcome.unknown, "warnings": outcome.warnings}
    if outcome.content is None:
        return PdfForm(outcome.fields, outcome.pages, meta=meta)
    meta = {"size_bytes": len(outcome.content), "pages": outcome.pages, **meta}
    return PdfForm(outcome.fields, outcome.pages, PdfResult(outcome.content, meta=meta), meta=meta)
