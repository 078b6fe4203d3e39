"""The registry of media types, and file names that are valid on all operating systems and unique."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True)
class MediaType:
    """A media type and how its files are named."""

    name: str
    """Media type, such as `image/png`."""
    label: str
    """Words for error messages, such as `a PNG image`."""
    extensions: tuple[str, ...]
    """File name extensions without the dot; the first one is the usual one."""
    is_text: bool = False


OFFICE = "application/vnd.openxmlformats-officedocument"
OPEN_DOCUMENT = "application/vnd.oasis.opendocument"

MEDIA_TYPES: tuple[MediaType, ...] = (
    MediaType("image/png", "a PNG image", ("png",)),
    MediaType("image/jpeg", "a JPEG image", ("jpg", "jpeg")),
    MediaType("image/webp", "a WebP image", ("webp",)),
    MediaType("image/avif", "an AVIF image", ("avif",)),
    MediaType("image/gif", "a GIF image", ("gif",)),
    MediaType("image/tiff", "a TIFF image", ("tif", "tiff")),
    MediaType("image/bmp", "a BMP image", ("bmp",)),
    MediaType("image/svg+xml", "an SVG image", ("svg",)),
    MediaType("application/pdf", "a PDF", ("pdf",)),
    MediaType("application/zip", "a ZIP file", ("zip",)),
    MediaType("application/gzip", "a gzip file", ("gz",)),
    MediaType("application/zlib", "a zlib file", ("zz",)),
    MediaType("application/octet-stream", "a binary file", ("bin",)),
    MediaType("application/json", "a JSON file", ("json",), is_text=True),
    MediaType("application/json-patch+json", "a JSON patch", ("json-patch",), is_text=True),
    MediaType("application/x-ndjson", "a JSON Lines file", ("jsonl", "ndjson"), is_text=True),
    MediaType("application/yaml", "a YAML file", ("yaml", "yml"), is_text=True),
    MediaType("application/toml", "a TOML file", ("toml",), is_text=True),
    MediaType("application/sql", "a SQL file", ("sql",), is_text=True),
    MediaType("application/vnd.apache.parquet", "a Parquet file", ("parquet",)),
    MediaType("application/vnd.ms-excel", "an Excel 97 workbook", ("xls",)),
    MediaType("application/vnd.ms-excel.sheet.binary.macroEnabled.12", "a binary Excel workbook", ("xlsb",)),
    MediaType("application/vnd.ms-excel.sheet.macroEnabled.12", "an Excel workbook with macros", ("xlsm",)),
    MediaType(f"{OFFICE}.spreadsheetml.sheet", "an Excel workbook", ("xlsx",)),
    MediaType(f"{OFFICE}.wordprocessingml.document", "a Word document", ("docx",)),
    MediaType(f"{OFFICE}.presentationml.presentation", "a PowerPoint presentation", ("pptx",)),
    MediaType(f"{OPEN_DOCUMENT}.spreadsheet", "an OpenDocument spreadsheet", ("ods",)),
    MediaType(f"{OPEN_DOCUMENT}.text", "an OpenDocument text", ("odt",)),
    MediaType(f"{OPEN_DOCUMENT}.presentation", "an OpenDocument presentation", ("odp",)),
    MediaType("application/epub+zip", "an EPUB book", ("epub",)),
    MediaType("application/rtf", "an RTF document", ("rtf",)),
    MediaType("application/x-ipynb+json", "a Jupyter notebook", ("ipynb",)),
    MediaType("text/csv", "a CSV file", ("csv",), is_text=True),
    MediaType("text/tab-separated-values", "a TSV file", ("tsv",), is_text=True),
    MediaType("text/html", "an HTML file", ("html", "htm"), is_text=True),
    MediaType("text/markdown", "a Markdown file", ("md", "markdown"), is_text=True),
    MediaType("text/x-python", "a Python file", ("py",), is_text=True),
    MediaType("text/plain", "a text file", ("txt",), is_text=True),
)

_BY_NAME = {media.name: media for media in MEDIA_TYPES}
_BY_EXTENSION = {extension: media for media in MEDIA_TYPES for extension in media.extensions}

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/vnd.ms-excel"),
)

PDF_HEADER_BYTES = 1024
"""A PDF's header may stand anywhere in its first 1024 bytes (ISO 32000-1, implementation note 13)."""


def media_type(name: str) -> MediaType | None:
    """Return the entry of a media type, with or without parameters; None for an unregistered one."""
    return _BY_NAME.get(name.partition(";")[0])


def extension_of(name: str) -> str:
    """Return the usual file name extension of a media type, `bin` for an unregistered one."""
    media = media_type(name)
    return media.extensions[0] if media else "bin"


def type_of(path: PurePath) -> str | None:
    """Return the media type that a path's extension stands for; None for an unknown extension."""
    media = _BY_EXTENSION.get(path.suffix[1:].lower())
    return media.name if media else None


def image_type(image_format: str) -> str:
    """Return the media type of an image format's name: `svg` is `image/svg+xml`."""
    return "image/svg+xml" if image_format == "svg" else f"image/{image_format}"


def format_names(media: str) -> Iterator[str]:
    """Yield the values of a `format` option that stand for a media type: `jpeg`, `jpg` for `image/jpeg`."""
    yield media.rpartition("/")[2].partition("+")[0]
    if entry := media_type(media):
        yield from entry.extensions


def detect(content: bytes) -> str | None:
    """Return the media type of a file by its first bytes; None for an unknown signature."""
    if b"%PDF-" in content[:PDF_HEADER_BYTES]:
        return "application/pdf"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    if content[:2] == b"BM" and content[15:18] == b"\0\0\0":  # the size of the second header, less than 256
        return "image/bmp"
    return next((name for signature, name in _SIGNATURES if content.startswith(signature)), None)


def describe(content: bytes) -> str:
    """Return words for a file's kind, such as `a PNG image`, for error messages."""
    if media := media_type(detect(content) or ""):
        return media.label
    if not content:
        return "an empty file"
    return "a binary file of an unknown kind" if b"\0" in content[:PDF_HEADER_BYTES] else "a text file"


MAX_NAME_BYTES = 200
"""Maximum length of a name in UTF-8. File systems allow 255 bytes; a number and a suffix are added."""

_UNSAFE = re.compile(r'[<>:"|?*\x00-\x1f\x7f-\x9f/\\]+')
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE | re.ASCII)
"""Names that Windows reserves for devices."""


def safe_name(text: str) -> str:
    """Return a text as a valid file name for all operating systems."""
    plain = _UNSAFE.sub("-", " ".join(unicodedata.normalize("NFC", text).split()))
    plain = plain.encode("utf-8", "replace")[:MAX_NAME_BYTES].decode("utf-8", "ignore").strip(" .") or "_"
    return f"_{plain}" if _DEVICE.match(plain) else plain


class UniqueNames:
    """Makes names unique: duplicates are numbered, ignoring case, because some file systems ignore it."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def add(self, name: str) -> str:
        """Return the name, with a number if it is taken."""
        folded = candidate = name.casefold()
        unique = name
        while candidate in self._taken:
            count = self._counts[folded] = self._counts.get(folded, 1) + 1
            unique = _numbered(name, count)
            candidate = unique.casefold()
        self._taken.add(candidate)
        return unique


def unique_names(names: Iterable[str]) -> list[str]:
    """Return unique names: duplicates are numbered, ignoring case."""
    return list(map(UniqueNames().add, names))


def _numbered(name: str, count: int) -> str:
    path = PurePath(name)
    suffix = path.suffix if type_of(path) else ""
    return f"{name.removesuffix(suffix)} ({count}){suffix}"
