"""What the parts of a reader share while they read a document: its options, bookmarks, notes, images and warnings."""

import io
import warnings
from collections.abc import Iterable
from contextlib import suppress
from pathlib import PurePosixPath

from lxml.html import HtmlElement
from PIL import Image

from mediakit.core.media import detect, extension_of, type_of
from mediakit.engines.archives.container import Container
from mediakit.tools.documents.document_to_markdown.document import Document, DocumentImage, Omitted, WarningCounter
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors, NoteList, ReadNote, new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import OfficePackage
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

_UNSIGNED_TYPES = {"emf": "image/emf", "wmf": "image/wmf", "svg": "image/svg+xml"}
"""Formats without a signature in their first bytes, by extension."""

_SIZED_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")


Parts = OfficePackage | Container


class Reading:
    """The state of reading one document. A document inside of another one has the notes and images of that one."""

    def __init__(self, options: Request, linked: Iterable[str] = (), outer: "Reading | None" = None) -> None:
        """Begin to read a document, of which links point to bookmarks with the linked names."""
        self.options, self.anchors = options, Anchors(linked)
        self.outer = outer
        self.depth: int = outer.depth + 1 if outer else 0
        """How many documents are around this one."""
        self.chunks = 0
        """Documents of other formats that were read inside of it."""
        self.notes: NoteList = outer.notes if outer else NoteList()
        self.images: list[DocumentImage] = outer.images if outer else []
        self.warnings: WarningCounter = outer.warnings if outer else WarningCounter()
        self.reads_headers = options.headers and outer is None
        """Whether to read the headers and footers of pages."""
        self._names: dict[str, str] = {}
        """Names of images by their part."""

    def note(self, key: str, read: ReadNote, prefix: str = "") -> HtmlElement | None:
        """Return a reference to a note, as `NoteList.reference` does; the key identifies it in this document."""
        return self.notes.reference((self, key), read, prefix)

    def add_image(self, part: str, content: bytes, alt: str) -> str | None:
        """Add the image in a part of the document and return its name. None if the content is not an image."""
        path = PurePosixPath(part)
        extension = path.suffix[1:].lower()
        mime_type = detect(content) or _UNSIGNED_TYPES.get(extension) or type_of(path) or ""
        if not mime_type.startswith("image/"):
            return None
        if mime_type not in _UNSIGNED_TYPES.values():
            extension = extension_of(mime_type)
        name = self._names[part] = f"image-{len(self.images) + 1}.{extension}"
        size: tuple[int | None, int | None] = (None, None)
        with suppress(Exception), warnings.catch_warnings():  # Pillow raises errors of many classes for damaged files
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=_SIZED_FORMATS) as image:
                size = image.size
        self.images.append(DocumentImage(name, mime_type, alt, *size, content))
        return name

    def image_name(self, parts: Parts, part: str, alt: str) -> str | None:
        """Return the name of the image in a part, which is read once. None if the part is missing or not an image."""
        if part in self._names or part not in parts:
            return self._names.get(part)
        return self.add_image(part, parts.read(part), alt)

    def image(self, parts: Parts, target: str, alt: str, *, is_external: bool) -> HtmlElement | None:
        """Return the element of an image. None if it is not wanted, missing or not an image.

        The target is its part, or the address of an image outside of the document.
        """
        if self.options.images == "none":
            return None
        if is_external:
            self.warnings.warn(Omitted.LINKED_IMAGES)
        elif target not in parts:
            self.warnings.warn(Omitted.MISSING_IMAGES)
        source = target if is_external else self.image_name(parts, target, alt)
        return image_element(source, alt) if source else None

    def finish(self, root: HtmlElement) -> Document:
        """Write the notes at the end of a document, resolve its links, and return it."""
        if self.outer is None:
            self.notes.append_to(root)
        self.anchors.resolve(root)
        return Document(root, images=self.images, warnings=self.warnings.sentences)


def image_element(source: str, alt: str) -> HtmlElement:
    """Return an image."""
    element = new_element("img")
    element.set("src", source)
    element.set("alt", alt)
    return element
