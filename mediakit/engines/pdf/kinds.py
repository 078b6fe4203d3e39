"""The kind of a file, from its first bytes: names and media types are not trusted."""

from mediakit.engines.file_types.identify import identify
from mediakit.engines.raster.formats import InputFormat, detect_format
from mediakit.errors import InvalidInput

PDF_HEADER_BYTES = 1024
"""The header `%PDF-` may follow up to this many bytes (PDF 1.7, appendix H, note 13)."""


def is_pdf(content: bytes) -> bool:
    """Return whether the first bytes are those of a PDF."""
    return b"%PDF-" in content[:PDF_HEADER_BYTES]


def require_pdf(content: bytes, field: str = "file") -> None:
    """Refuse a file that is not a PDF.

    Raises:
        InvalidInput: It is none. The message names what it is.
    """
    if not is_pdf(content):
        raise InvalidInput(f"{field}: must be a PDF, got {describe(content)}.")


def image_format(content: bytes) -> InputFormat | None:
    """Return the format of an image, or None for any other file."""
    try:
        return detect_format(content)
    except InvalidInput:
        return None


def describe(content: bytes) -> str:
    """Return the kind of a file as an error message names it: `a PNG image`."""
    return identify(content).description
