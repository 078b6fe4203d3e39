"""Decodes the names of ZIP entries: most programs on Windows write them in a charset that nothing names."""

import codecs
import re
import zlib
from collections.abc import Sequence

from mediakit.engines.archives.directory import EXTRA_UNICODE_PATH, FLAG_UTF8, RawEntry
from mediakit.errors import InvalidInput

DEFAULT_CHARSET = "cp437"
"""The charset of names that say none (APPNOTE, appendix D)."""

_SIGNED_FIELD_BYTES = 5


def decode_names(entries: Sequence[RawEntry], name_encoding: str) -> tuple[list[str], str]:
    """Return the names of entries, and the charset of those that do not say theirs.

    In this order: the UTF-8 flag, the Unicode Path field if its CRC fits the name, `name_encoding`, UTF-8 where all
    other names are valid UTF-8, the charset that statistics find over all other names together, cp437.

    Raises:
        InvalidInput: `name_encoding` is not a charset.
    """
    known = [_declared(entry) for entry in entries]
    unknown = [
        entry.name for entry, name in zip(entries, known, strict=True) if name is None and not entry.name.isascii()
    ]
    charset = _charset(unknown, name_encoding)
    names = [
        name if name is not None else _decoded(entry.name, charset) for entry, name in zip(entries, known, strict=True)
    ]
    return names, charset


def decode_text(content: bytes) -> str:
    """Return a comment: UTF-8 if it is valid, else cp437."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode(DEFAULT_CHARSET)


def _declared(entry: RawEntry) -> str | None:
    """Return the name of an entry that says its charset; None for others."""
    if entry.flags & FLAG_UTF8 and (name := _utf8(entry.name)) is not None:
        return name
    if entry.extra and (field := entry.extras.get(EXTRA_UNICODE_PATH)):
        fits = int.from_bytes(field[1:_SIGNED_FIELD_BYTES], "little") == zlib.crc32(entry.name)
        if fits and len(field) > _SIGNED_FIELD_BYTES:
            return _utf8(field[_SIGNED_FIELD_BYTES:])
    return None


def _utf8(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _decoded(name: bytes, charset: str) -> str:
    if name.isascii():
        return name.decode("ascii")
    try:
        return name.decode(charset)
    except UnicodeDecodeError:
        return name.decode(DEFAULT_CHARSET)


def _charset(names: Sequence[bytes], name_encoding: str) -> str:
    if name_encoding != "auto":
        return known_charset(name_encoding)
    if all(_utf8(name) is not None for name in names):
        return "utf-8"
    from mediakit.engines.archives.name_statistics import likely_charset

    return likely_charset(names)


def known_charset(name: str) -> str:
    """Return the usual name of a charset.

    Raises:
        InvalidInput: Python knows no such charset.
    """
    try:
        found = codecs.lookup(name.strip())
        usable = isinstance("é".encode(found.name, "replace"), bytes) and isinstance(b"a".decode(found.name), str)
    except (LookupError, ValueError, TypeError, AssertionError):
        usable = False
    if not usable or not re.fullmatch(r"[\w.:-]+", name.strip()):
        raise InvalidInput(
            f'name_encoding: "{name[:40]}" is not a known charset; use one such as cp437, cp866 or shift_jis.'
        )
    return found.name
