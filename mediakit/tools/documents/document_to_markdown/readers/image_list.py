"""The images of a document in reading order, named `image-1.png`."""

from pathlib import PurePosixPath

from mediakit.core.media import detect, extension_of, type_of
from mediakit.tools.documents.document_to_markdown.document import DocumentImage
from mediakit.tools.documents.document_to_markdown.readers.image_sizes import sized_image

_OTHER_TYPES = {"emf": "image/emf", "wmf": "image/wmf", "svg": "image/svg+xml"}
"""Formats without a signature in their first bytes, by extension."""


class ImageList:
    """Names images, each part of a document once."""

    def __init__(self) -> None:
        self.images: list[DocumentImage] = []
        self._names: dict[str, str] = {}

    def known(self, part: str) -> str | None:
        """Return the name of an image that was added before. None if it was not."""
        return self._names.get(part)

    def add(self, part: str, content: bytes, alt: str) -> str | None:
        """Add an image and return its name. None if the content is not an image.

        Args:
            part: Its path in the document.
            content: The file.
            alt: Its alternative text.
        """
        path = PurePosixPath(part)
        mime_type = detect(content) or _OTHER_TYPES.get(path.suffix[1:].lower()) or type_of(path) or ""
        if not mime_type.startswith("image/"):
            return None
        extension = path.suffix[1:].lower() if mime_type in _OTHER_TYPES.values() else extension_of(mime_type)
        name = f"image-{len(self.images) + 1}.{extension}"
        self.images.append(sized_image(name, mime_type, alt, content))
        self._names[part] = name
        return name
