"""The request of `mail_merge`."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.fields import Language
from mediakit.core.inputs import MEGABYTE, FileInput, FileRule, file_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule
from mediakit.engines.paper import Margins, PageLayout, PaperFormat
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.data import TemplateData
from mediakit.engines.templates.html_source import TemplateField, key_of_template
from mediakit.tools.documents.mail_merge.file_names import MAX_PATTERN, check_pattern
from mediakit.tools.documents.mail_merge.rows_field import RowsField, check_rows

MAX_HTML_BYTES = MEGABYTE

Target = Literal["pdf", "png", "docx"]
SourceKind = Literal["template", "html", "word", "form"]

PAGE_OPTIONS = ("format", "landscape", "margin")
IMAGE_OPTIONS = ("width", "height")

_ZIP = b"PK\x03\x04"


def _check_html_bytes(value: str) -> str:
    if len(value.encode("utf-8", "replace")) > MAX_HTML_BYTES:
        raise ValueError("must have at most 1 MB.")
    return value


@request
class MailMergeRequest:
    """Rows, what they are put into, and what becomes of it."""

    rows: Annotated[RowsField, Synonyms("table, recipients, csv, records, frame")]
    """1 to 100 rows: an array of objects whose keys are the columns, or a table file such as CSV or XLSX. In Python
    also a data frame or a dict of lists."""
    _: KW_ONLY
    template: TemplateField | None = None
    """Name of a template whose keys are columns. `GET /templates` lists their keys and limits."""
    html: (
        Annotated[
            TextInput,
            TextRule("html"),
            Field(min_length=1, max_length=MAX_HTML_BYTES),
            AfterValidator(_check_html_bytes),
        ]
        | None
    ) = None
    """Own HTML of at most 1 MB. `{{ column }}` inserts a value, escaped; `{{qr:column}}` and `{{barcode:column}}` draw
    it as a code. Scripts do not run."""
    file: Annotated[FileInput, FileRule(takes=("document", "pdf"))] | None = None
    """A Word template (DOCX with placeholders such as `{{ column }}`), or a PDF form whose fields are columns."""
    data: Annotated[TemplateData | None, Synonyms("values, common")] = None
    """Values that are the same in every row. Those of a row take precedence."""
    to: Annotated[
        Target | None,
        Field(json_schema_extra={"default": "pdf"}),
        Synonyms("output, output_format, target, type", {"docx": "word"}),
    ] = None
    """Format of the documents: pdf, png of a template or HTML, docx of a Word template, whose only format it is."""
    filename: Annotated[
        str,
        Field(min_length=1, max_length=MAX_PATTERN),
        AfterValidator(check_pattern),
        Synonyms("name, names, file_name"),
    ] = "{n}"
    """Pattern of the file names, with `{column}`, the number of the row `{n}`, and `{n:03}` for 001. A repeated name
    gets a number."""
    merge: bool = False
    """Return one PDF with a bookmark for each row, instead of a ZIP file."""
    lang: Language = "en"
    """Language of the template's labels and example texts."""
    style: Annotated[str | None, Field(min_length=1, max_length=60)] = None
    """Design of the template, one of the styles that `GET /templates` lists."""
    format: Annotated[PaperFormat | None, Field(json_schema_extra={"default": "A4"})] = None
    """Paper size of pdf. The default of a template is its own."""
    landscape: Annotated[bool | None, Field(json_schema_extra={"default": False})] = None
    """Landscape orientation of pdf. The default of a template is its own."""
    margin: Annotated[int, Field(ge=0, le=100)] = 0
    """Margin of pdf on all four sides, in millimeters."""
    width: Annotated[int | None, Field(ge=100, le=3840)] = None
    """Width of png in pixels. Default: 1200, and of a template its own."""
    height: Annotated[int | None, Field(ge=100, le=2160)] = None
    """Height of png in pixels. Default: 630, and of a template its own."""
    on_error: Literal["report", "stop"] = "report"
    """What to do about a row that fails: leave it out and report why, or stop with an error."""

    @classmethod
    def member_of(cls, name: str, values: Mapping[str, Any]) -> tuple[str, str] | None:
        """Return the field that takes a key of the template, and what the name is; None for other names."""
        return key_of_template(name, values)

    @property
    def source(self) -> SourceKind:
        """What the rows are put into."""
        if self.template is not None:
            return "template"
        if self.html is not None:
            return "html"
        return "word" if bytes(file_of(self.file or b"-")).startswith(_ZIP) else "form"

    @property
    def target(self) -> Target:
        """Format of the documents."""
        return self.to or ("docx" if self.source == "word" else "pdf")

    @property
    def selected_template(self) -> Template | None:
        """The template that `template` names, or None."""
        return TEMPLATES[self.template] if self.template else None

    @property
    def layout(self) -> PageLayout:
        """Size, orientation and margins of the pages."""
        margins = Margins(*[self.margin] * 4)
        template = self.selected_template
        if self.format is None and template:
            landscape = template.landscape if self.landscape is None else self.landscape
            return PageLayout(template.pdf_format, landscape, margins)
        return PageLayout(self.format or "A4", bool(self.landscape), margins)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if isinstance(self.rows, list):
            check_rows(self.rows)
        given = [name for name in ("template", "html", "file") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"{'html' if len(given) < 2 else given[-1]}: exactly one of template, html and file is required."
            )
        self._check_target()
        self._check_options()
        self.layout.check_margins()
        if self.style is not None and (problem := TEMPLATES[self.template or ""].style_problem(self.style)):
            raise ValueError(f"style: {problem}")
        return self

    def _check_target(self) -> None:
        allowed: dict[SourceKind, tuple[Target, ...]] = {"word": ("docx",), "form": ("pdf",)}
        names = {"word": "a Word template", "form": "a PDF form"}
        targets = allowed.get(self.source, ("pdf", "png"))
        if self.target not in targets:
            rule = f"{targets[0]} for {names[self.source]}" if len(targets) == 1 else "pdf or png for template and html"
            raise ValueError(f"to: must be {rule}, got {self.target}.")
        if self.merge and self.target != "pdf":
            raise ValueError(f"merge: requires to pdf, got {self.target}.")

    def _check_options(self) -> None:
        for name in ("style", *PAGE_OPTIONS, *IMAGE_OPTIONS):
            if getattr(self, name) in (None, 0):
                continue
            if name == "style" and self.template is None:
                raise ValueError("style: requires template.")
            if self.file is not None:
                raise ValueError(f"{name}: requires template or html, not file.")
            if (name in PAGE_OPTIONS) != (self.target == "pdf") and name != "style":
                raise ValueError(f"{name}: requires to {'pdf' if name in PAGE_OPTIONS else 'png'}, got {self.target}.")


@request
class MergedCall(MailMergeRequest):
    """Arguments of calls that return one PDF, for type checkers."""

    rows: Any
    _: KW_ONLY
    merge: Literal[True]


@request
class FilesCall(MailMergeRequest):
    """Arguments of calls that return several files, for type checkers."""

    rows: Any
    _: KW_ONLY
    merge: Literal[False] = False
