"""Media types, kinds of files, and file names that are valid on all operating systems and unique.

A field states which kinds of files it takes: `FileRule` and `TextRule` have them. Results are judged by their media
type. A file of another kind is refused with the way to convert it.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal

FileKind = Literal["image", "svg", "pdf", "document", "html", "markdown", "text", "table", "data", "archive", "other"]


@dataclass(frozen=True)
class MediaType:
    """A media type and how its files are named."""

    name: str
    """Media type, such as `image/png`."""
    label: str
    """Words for error messages, such as `a PNG image`."""
    kind: FileKind
    extensions: tuple[str, ...]
    """File name extensions without the dot; the first one is the usual one."""
    is_text: bool = False


TABLES = json.loads((Path(__file__).parent / "media.json").read_text("utf-8"))

MEDIA_TYPES = tuple(MediaType(**{**each, "extensions": tuple(each["extensions"])}) for each in TABLES["types"])

WAYS: Mapping[FileKind, Mapping[FileKind, str]] = TABLES["ways"]
"""What to do with a file or a result, by what the input takes and by what it is. Data is a table here."""

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
            path = PurePath(name)
            suffix = path.suffix if type_of(path) else ""
            unique = f"{name.removesuffix(suffix)} ({count}){suffix}"
            candidate = unique.casefold()
        self._taken.add(candidate)
        return unique


def unique_names(names: Iterable[str]) -> list[str]:
    """Return unique names: duplicates are numbered, ignoring case."""
    return list(map(UniqueNames().add, names))


TABLE_FILES: tuple[FileKind, ...] = ("table", "data", "markdown", "text")
"""Kinds of files from which tables are read."""

DOCUMENTS: tuple[FileKind, ...] = ("document", "pdf", "html", "table")
"""Kinds of files whose text is read as that of a document."""

NAMES: Mapping[FileKind, str] = {
    "image": "an image",
    "svg": "SVG",
    "pdf": "a PDF",
    "document": "a document",
    "html": "HTML",
    "markdown": "Markdown",
    "text": "text",
    "table": "a table",
}
"""Words for what an input takes."""

_LISTED: frozenset[FileKind] = frozenset(("image", "pdf", "document"))
"""Kinds that errors list besides the first one that an input takes."""

_KIND_BY_PART: Mapping[str, FileKind] = {
    "xhtml": "html",
    "json": "data",
    "csv": "table",
    "yaml": "table",
    "sheet": "table",
    "excel": "table",
    "image/": "image",
    "text/": "text",
}
"""Kinds of media types that are not registered, as a data: URI and an attachment may have them."""


def kind_of(media: str) -> FileKind:
    """Return the kind of a media type, of an unregistered one by its name; `other` if that does not say it."""
    if known := media_type(media):
        return known.kind
    return next((kind for part, kind in _KIND_BY_PART.items() if part in media.partition(";")[0]), "other")


def is_text(media: str) -> bool:
    """Return whether files of a media type are text."""
    known = media_type(media)
    return media.startswith("text/") or media == "image/svg+xml" or bool(known and known.is_text)


def check_kind(media: str, taken: Sequence[FileKind], got: str, *, as_text: bool = False) -> None:
    """Refuse a file of a kind that an input does not take. Unknown kinds are left to the tool.

    Args:
        media: The media type of the file.
        taken: The kinds that the input takes; the first one is its own. None for all.
        got: The name of the file, or the class of the result.
        as_text: Whether the file must be text as well, as not every table is.

    Raises:
        ValueError: The kind does not fit; the message says how to convert the file.
    """
    kind = kind_of(media)
    if not taken or kind == "other" or (kind in taken and (is_text(media) or not as_text)):
        return
    known = media_type(media)
    label = f" ({known.label})" if known else ""
    names = " or ".join(NAMES[each] for each in taken if each == taken[0] or each in _LISTED)
    way = WAYS[taken[0]].get("table" if kind == "data" else kind, "")
    raise ValueError(f"must be {names}, got {got}{label}. {way}".rstrip())
