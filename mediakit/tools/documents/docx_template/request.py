"""The request of `docx_template`."""

from dataclasses import KW_ONLY
from typing import Annotated

from mediakit.core.inputs import FileInput, FileRule
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.templates.data import TemplateData
from mediakit.engines.word_templates.field_info import MissingPolicy


@request
class DocxTemplateRequest:
    """A Word template and what to fill in."""

    file: Annotated[FileInput, FileRule(takes=("document",))]
    """The template, a DOCX or DOTX with placeholders such as `{{ client.name }}`. Files with macros are refused."""
    data: Annotated[TemplateData | None, Synonyms("values, context, variables, fields")] = None
    """Values by name: text, numbers, true, false, null, lists and objects, up to 8 levels deep and 10,000 values.
    `{"image": "<base64>", "width": 40, "alt": "Logo"}` is an image with a width in millimeters, and
    `{"link": "https://example.com", "text": "Example"}` a link. Without data, the placeholders are only listed."""
    _: KW_ONLY
    missing: MissingPolicy = "error"
    """What to do about a placeholder without a value: refuse the call, leave it blank, or keep the placeholder."""


@request
class FillCall(DocxTemplateRequest):
    """Arguments of calls that return a document, for type checkers."""

    data: TemplateData


@request
class FieldsCall(DocxTemplateRequest):
    """Arguments of calls that only list the fields, for type checkers."""

    data: None = None
