"""A presentation: its slides in order, with their notes."""

from collections.abc import Iterator

from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import OfficePackage
from mediakit.tools.documents.document_to_markdown.readers.slides.names import Element, P, R
from mediakit.tools.documents.document_to_markdown.readers.slides.placeholders import Layouts
from mediakit.tools.documents.document_to_markdown.readers.slides.slide import DeckContext, SlideReader

MAX_SLIDES = 5000


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a presentation.

    Raises:
        InvalidInput: It is damaged.
    """
    package = OfficePackage(content, "ppt/presentation.xml")
    root = package.xml(package.main)
    if root is None:
        raise InvalidInput("file: is a damaged presentation.")
    context = DeckContext(package, Layouts(package), options)
    body = new_element("div")
    document = Document(body, images=context.images.images)
    package.describe(document)
    hidden = []
    for number, part in enumerate(_slide_parts(package, root), 1):
        slide = package.xml(part)
        if slide is None:
            continue
        title = SlideReader(context, part).append_to(body, slide, is_first=number == 1)
        document.parts.append(title or f"Slide {number}")
        if slide.get("show") in ("0", "false"):
            hidden.append(str(number))
    if hidden:
        document.warnings.append(f"Slides that a presentation skips are included: {', '.join(hidden)}.")
    document.warnings = [*document.warnings, *dict.fromkeys(context.warnings)]
    return document


def _slide_parts(package: OfficePackage, root: Element) -> Iterator[str]:
    """Yield the parts of the slides in order."""
    relationships = package.relationships(package.main)
    listed = root.find(f"{P}sldIdLst")
    for _, slide in zip(range(MAX_SLIDES), () if listed is None else listed, strict=False):
        relationship = relationships.get(slide.get(f"{R}id") or "")
        if relationship is not None and relationship.kind == "slide" and not relationship.is_external:
            yield relationship.target
