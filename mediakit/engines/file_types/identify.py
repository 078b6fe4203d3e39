"""The type of a file, by its content; its name decides only between kinds of text that look alike."""

import re
from collections.abc import Callable, Iterable
from functools import cache, partial

from mediakit.engines.archives.archive import is_tar
from mediakit.engines.archives.zip_directory import has_directory
from mediakit.engines.charsets import text_sample
from mediakit.engines.file_types import FILE_TYPES, FileType, binary_types, matching_rule, media_types
from mediakit.engines.file_types.package_types import ole_type, zip_type
from mediakit.engines.file_types.text_types import text_type

Check = Callable[[bytes], str | None]

_HEAD_BYTES = 40_000
"""Where the signatures of the table stand; that of a disc image is the last one."""

_BY_START: tuple[tuple[tuple[bytes, ...], Check], ...] = (
    ((b"\x89PNG\r\n\x1a\n",), binary_types.png),
    ((b"\x1a\x45\xdf\xa3",), media_types.matroska_type),
    ((b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",), ole_type),
    ((b"PK\3\4", b"PK\5\6", b"PK\7\x08PK\3\4", b"PK00PK\3\4"), zip_type),
    ((b"MZ",), binary_types.dos_or_windows),
    ((b"\0\0\1\0", b"\0\0\2\0"), binary_types.icon),
    ((b"MM",), binary_types.model_3ds),
)
"""Checks for files that begin with given bytes. None goes on with the signatures."""

_UNSIGNED: tuple[Check, ...] = (
    media_types.iso_media_type,
    lambda content: "tar" if is_tar(content) else None,
    media_types.audio_type,
    binary_types.lzma,
    binary_types.zlib_stream,
    binary_types.der,
    partial(matching_rule, "binary"),
)
"""Checks that need no signature, for files that are neither recognized nor text."""

_UNCERTAIN: tuple[Check, ...] = (
    partial(matching_rule, "unsure"),
    binary_types.dbase,
    binary_types.binary_stl,
    binary_types.flic,
    binary_types.object_file,
    lambda content: "dmg" if content[-512:].startswith(b"koly\0\0\0\4") else None,  # the trailer of a macOS disk image
    binary_types.targa,
    lambda content: "zip" if has_directory(content) else None,
)
"""Checks of binary files that could be mistaken for text or for each other, in the order of their certainty."""

_ZIP_START = (b"PK\3\4", b"PK\5\6", b"PK\7\x08", b"PK00")
_ISO_OFFSET, _ISO_MARK = 32_769, b"CD001"
_DICOM_OFFSET, _DICOM_MARK = 128, b"DICM"
_WORD = re.compile(rb"[A-Za-z][ -~]{2,4}|[0-9]+")
_CHECKED = frozenset({"zip", "ole", "webp", "avi", "png"})
"""Types that `_BY_START` decides."""


def identify(content: bytes, name: str | None = None) -> FileType:
    """Return the type of a file, whose name may be unknown."""
    return FILE_TYPES[type_name(content, name)]


def type_name(content: bytes, name: str | None = None) -> str:
    """Return the name of a file's type in `FILE_TYPES`."""
    if not content:
        return "empty"
    checks = (check for starts, check in _BY_START if content.startswith(starts))
    if found := _first(checks, content) or matching_rule("start", content) or _by_signature(content):
        return found
    if found := _first(_UNSIGNED, content) or ("pdf" if binary_types.is_pdf(content) else None):
        return found
    if b"\0" in content[:_HEAD_BYTES]:
        return _first(_UNCERTAIN, content) or text_type(content, name) or "unknown"
    return text_type(content, name) or _first(_UNCERTAIN, content) or "unknown"


def _first(checks: Iterable[Check], content: bytes) -> str | None:
    return next(filter(None, (check(content) for check in checks)), None)


def _by_signature(content: bytes) -> str | None:
    """Return the name of the type whose signature the file has."""
    head = content[:_HEAD_BYTES]
    if head.startswith(b"%PDF-"):
        return "pdf"
    name = next((name for name, file_type in _signed_types() if file_type.matches(head)), None)
    if name in _words() and text_sample(content) is not None:
        return None
    if name == "tiff":
        return binary_types.tiff(content)
    if name == "jp2":
        return media_types.jpeg_2000_type(content)
    return name


@cache
def _signed_types() -> list[tuple[str, FileType]]:
    """Return the types with signatures by their names, those with the longest signature first."""
    signed = [(name, one) for name, one in sorted(FILE_TYPES.items()) if one.signatures and name not in _CHECKED]
    return sorted(signed, key=lambda item: -max(sum(len(part) for _, part in each) for each in item[1].signatures))


@cache
def _words() -> frozenset[str]:
    """Return the types whose signature is a short word, with which a text can begin as well: `MAC `, `ORC`."""
    return frozenset(
        name for name, one in _signed_types() if all(_WORD.fullmatch(part[0][1]) for part in one.signatures)
    )


def other_types(content: bytes, found: FileType) -> list[FileType]:
    """Return the types that readers of other formats accept the file as."""
    rules = (
        ("pdf", binary_types.is_pdf(content)),
        ("zip", not content.startswith(_ZIP_START) and has_directory(content)),
        ("iso", content.startswith(_ISO_MARK, _ISO_OFFSET)),
        ("dicom", content.startswith(_DICOM_MARK, _DICOM_OFFSET)),
        ("tar", is_tar(content)),
    )
    others = [FILE_TYPES[name] for name, is_true in rules if is_true]
    return [one for one in others if one.mime_type != found.mime_type]
