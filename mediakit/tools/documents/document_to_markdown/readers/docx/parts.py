"""What the readers of a Word document share: its parts, styles, lists, images, notes and anchors."""

from dataclasses import dataclass, field

from mediakit.tools.documents.document_to_markdown.document import ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.docx.numbering import Numbering
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import Styles
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors, NoteList
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList, OfficePackage


@dataclass
class WordContext:
    """The state of reading one document."""

    package: OfficePackage
    styles: Styles
    numbering: Numbering
    options: ReadOptions
    anchors: Anchors
    notes: NoteList = field(default_factory=NoteList)
    images: ImageList = field(default_factory=ImageList)
    warnings: dict[str, int] = field(default_factory=dict)
    """Sentences with a place for a number, and how often they apply."""

    def warn(self, sentence: str) -> None:
        """Count a warning: a sentence with `{}` for how often it applies."""
        self.warnings[sentence] = self.warnings.get(sentence, 0) + 1
