"""The request of `document_to_markdown`."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Any

from pydantic import Field

from mediakit.core.fields import Password
from mediakit.core.file_kinds import DOCUMENTS
from mediakit.core.inputs import FileInput, FileRule, file_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.tools.documents.document_to_markdown.document import Format, Images, ReadOptions

SheetName = Annotated[str, Field(min_length=1, max_length=255)]


@request
class DocumentToMarkdownRequest:
    """A document and how to convert it."""

    file: Annotated[FileInput, FileRule(takes=DOCUMENTS)]
    """The document: DOCX, PPTX, XLSX, XLSM, XLSB, XLS, ODS, ODT, ODP, EPUB, RTF, HTML, CSV, TSV, IPYNB or PDF."""
    _: KW_ONLY
    format: Annotated[Format, Synonyms("to, output, type", {"markdown": "md", "text": "txt, plain"})] = "markdown"
    """Format of the content: Markdown or plain text."""
    images: Images = "alt"
    """`alt` writes images as `![alt](image-1.png)`; `embed` also returns their files in `images`; `none` omits them."""
    notes: bool = True
    """Include footnotes and endnotes, and the speaker notes of slides."""
    headers: bool = False
    """Include the headers and footers of pages."""
    comments: bool = False
    """Include comments, as footnotes with their author."""
    sheets: Annotated[list[SheetName], Field(min_length=1, max_length=1000), Synonyms("sheet, sheet_name")] | None = (
        None
    )
    """Names of the sheets of a workbook, in the order to write them; all visible ones by default."""
    max_chars: Annotated[int, Field(ge=100, le=1_000_000), Synonyms("limit, max_length")] = 200_000
    """Maximum number of characters of content. Longer content is truncated at a paragraph."""
    password: Password | None = None
    """The password of an encrypted PDF."""

    @property
    def options(self) -> ReadOptions:
        """The options of the readers."""
        return ReadOptions(
            name=file_of(self.file).name,
            format=self.format,
            images=self.images,
            notes=self.notes,
            headers=self.headers,
            comments=self.comments,
            sheets=None if self.sheets is None else tuple(self.sheets),
            max_chars=self.max_chars,
            password=self.password,
        )


@dataclass
class Converted:
    """What a worker returns."""

    fields: dict[str, Any]
    """The fields of the response."""
    warnings: list[str] = field(default_factory=list)
