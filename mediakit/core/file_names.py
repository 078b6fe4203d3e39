"""File names that are valid on all operating systems, and unique."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePath

from mediakit.core.media import type_of

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
