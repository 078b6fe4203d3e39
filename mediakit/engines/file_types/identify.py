"""The type of a file, by its content; its name decides only between kinds of text that look alike."""

import re
from collections.abc import Callable
from functools import cache

from mediakit.engines.file_types.containers import (
    archive_types,
    data_types,
    executable_types,
    image_types,
    media_types,
    mpeg_types,
)
from mediakit.engines.file_types.containers.ole_types import ole_type
from mediakit.engines.file_types.containers.pdf_header import is_pdf
from mediakit.engines.file_types.containers.zip_directory import is_archive
from mediakit.engines.file_types.containers.zip_types import zip_type
from mediakit.engines.file_types.file_type import FileType
from mediakit.engines.file_types.registry import FILE_TYPES
from mediakit.engines.file_types.texts.text_sample import text_sample
from mediakit.engines.file_types.texts.text_types import text_type

Check = Callable[[bytes], str | None]

_HEAD_BYTES = 40_000
"""Where the signatures of the registry stand; that of a disc image is the last one."""

_BY_START: tuple[tuple[tuple[bytes, ...], Check], ...] = (
    ((b"\x89PNG\r\n\x1a\n",), image_types.png),
    ((b"RIFF", b"RIFX", b"RF64"), media_types.riff_type),
    ((b"FORM",), media_types.iff_type),
    ((b"\x1a\x45\xdf\xa3",), media_types.matroska_type),
    ((b"OggS",), media_types.ogg_type),
    ((bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c"),), media_types.asf_type),
    ((b"FWS", b"CWS", b"ZWS"), media_types.flash_or_none),
    ((b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",), ole_type),
    ((b"PK\3\4", b"PK\5\6", b"PK\7\x08PK\3\4", b"PK00PK\3\4"), zip_type),
    ((b"MZ",), executable_types.dos_or_windows),
    ((b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"), executable_types.java_or_mach),
    ((b"BM",), image_types.bitmap),
    ((b"\0\0\1\0", b"\0\0\2\0"), image_types.icon),
    ((b"CR",), lambda _: None),
    ((b"P",), image_types.netpbm),
    ((b"\x01\xda",), image_types.silicon_graphics),
    ((b"BZh",), lambda content: "bzip2" if archive_types.is_bzip2(content) else None),
    ((b"\0\1\0\0",), data_types.truetype_or_none),
    ((b"\x0b\x77",), lambda content: "ac3" if len(content) > 6 and content[5] >> 3 <= 16 else None),
    ((b"GRIB",), data_types.grib),
    ((b"\n\r\r\n",), data_types.packet_capture),
    ((b"d",), data_types.torrent),
    ((b"MM",), data_types.model_3ds),
)
"""Checks for files that begin with given bytes. None goes on with the signatures."""

_UNSIGNED: tuple[Check, ...] = (
    media_types.iso_media_type,
    lambda content: "tar" if archive_types.is_tar(content) else None,
    lambda content: "mpeg-ts" if mpeg_types.is_transport_stream(content) else None,
    mpeg_types.audio_type,
    lambda content: "lha" if archive_types.is_lha(content) else None,
    lambda content: "lzma" if archive_types.is_lzma(content) else None,
    lambda content: "zlib" if archive_types.is_zlib(content) else None,
    lambda content: "asar" if archive_types.is_electron(content) else None,
    data_types.embedded_opentype,
    data_types.der,
    data_types.pgp,
    data_types.palm,
)
"""Checks that need no signature, for files that are neither recognized nor text."""

_UNCERTAIN: tuple[Check, ...] = (
    image_types.pcx,
    data_types.pickled,
    data_types.compiled_python,
    data_types.dbase,
    data_types.binary_stl,
    image_types.flic,
    lambda content: "coff" if executable_types.is_object_file(content) else None,
    lambda content: "dmg" if archive_types.is_disk_image(content) else None,
    image_types.targa,
    lambda content: "zip" if is_archive(content) else None,
)
"""Checks of binary files that could be mistaken for text or for each other, in the order of their certainty."""


def identify(content: bytes, name: str | None = None) -> FileType:
    """Return the type of a file.

    Args:
        content: The bytes of the file.
        name: Its name, where it is known.
    """
    return FILE_TYPES[type_name(content, name)]


def type_name(content: bytes, name: str | None = None) -> str:
    """Return the name of a file's type in the registry."""
    if not content:
        return "empty"
    found = _by_start(content) or _by_signature(content)
    if found:
        return found
    found = next(filter(None, (check(content) for check in _UNSIGNED)), None)
    if found is None and is_pdf(content):
        found = "pdf"
    return found or _text_or_unknown(content, name)


def _by_start(content: bytes) -> str | None:
    for starts, check in _BY_START:
        if content.startswith(starts) and (found := check(content)):
            return found
    return None


def _by_signature(content: bytes) -> str | None:
    """Return the name of the type whose signature the file has."""
    head = content[:_HEAD_BYTES]
    if head.startswith(b"%PDF-"):
        return "pdf"
    name = next((name for _, name, file_type in _signed_types() if file_type.matches(head)), None)
    if name in _words() and text_sample(content) is not None:
        return None
    if name == "tiff":
        return image_types.tiff(content)
    if name == "jp2":
        return media_types.jpeg_2000_type(content)
    return name


@cache
def _signed_types() -> list[tuple[int, str, FileType]]:
    """Return the types with signatures; the longest and earliest first."""
    signed = [(name, one) for name, one in FILE_TYPES.items() if one.signatures and name not in _CHECKED]
    lengths = [
        (max(sum(len(part) for _, part in signature) for signature in one.signatures), name, one)
        for name, one in signed
    ]
    return sorted(lengths, key=lambda item: (-item[0], item[1]))


@cache
def _words() -> frozenset[str]:
    """Return the types whose signature is a short word, with which a text can begin as well: `MAC `, `ORC`."""
    return frozenset(
        name for _, name, one in _signed_types() if all(_WORD.fullmatch(part[0][1]) for part in one.signatures)
    )


_WORD = re.compile(rb"[A-Za-z][ -~]{2,4}|[0-9]+")
_CHECKED = frozenset({"zip", "ole", "webp", "avi", "png"})
"""Types that `_BY_START` decides."""


def _text_or_unknown(content: bytes, name: str | None) -> str:
    is_binary = b"\0" in content[:_HEAD_BYTES]
    first, second = (_uncertain, text_type) if is_binary else (text_type, _uncertain)
    return first(content, name) or second(content, name) or "unknown"


def _uncertain(content: bytes, _name: str | None = None) -> str | None:
    return next(filter(None, (check(content) for check in _UNCERTAIN)), None)
