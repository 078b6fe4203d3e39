"""Reads PDF objects that may not be what they should be."""

from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, StreamDecodeLevel, String

MAX_FIELD_LEVELS = 60
"""Fields above a field that are followed."""


def items(value: object) -> list[pikepdf.Object]:
    """Return the items of an array, or none of anything else."""
    return list(value) if isinstance(value, Array) else []


def dictionaries(value: object) -> list[pikepdf.Object]:
    """Return the dictionaries of an array, or none of anything else."""
    return [item for item in items(value) if isinstance(item, Dictionary)]


def dictionary(value: object) -> pikepdf.Object:
    """Return a dictionary itself, or an empty one for anything else."""
    return value if isinstance(value, Dictionary) else Dictionary()


def is_true(holder: pikepdf.Object, key: pikepdf.Name) -> bool:
    """Return whether a dictionary has the value true for a key."""
    value: object = holder.get(key)
    return value is True


def name_of(value: object) -> str:
    """Return a name with its slash, such as `/Link`; empty for anything else. Bytes that are not UTF-8 are replaced."""
    return bytes(value).decode("utf-8", "replace") if isinstance(value, Name) else ""


def text_of(value: object) -> str:
    """Return a text string; empty for anything else. Bytes that cannot be decoded are replaced."""
    if not isinstance(value, String):
        return ""
    try:
        return str(value)
    except UnicodeDecodeError:
        return bytes(value).decode("utf-8-sig", "replace")


def every_dictionary(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """Yield all dictionaries and streams of a PDF: indirect objects, and the values inside of them."""
    waiting: list[object] = [*pdf.objects, pdf.trailer]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Dictionary | Stream):
            yield item
            values: list[object] = list(item.values())
        else:
            values = list(items(item))
        waiting += [each for each in values if isinstance(each, Array | Dictionary) and not each.is_indirect]


def delete(holder: pikepdf.Object, *keys: str) -> None:
    """Delete keys that a dictionary has."""
    for key in keys:
        if key in holder:
            del holder[key]


def inherited(field: pikepdf.Object, key: Name) -> object:
    """Return the value of a field's key, its own or that of a field above it."""
    for _ in range(MAX_FIELD_LEVELS):
        if key in field:
            return field[key]
        parent = field.get(Name.Parent)
        if not isinstance(parent, Dictionary):
            return None
        field = parent
    return None


def stream_bytes(stream: pikepdf.Object) -> bytes | None:
    """Return the decoded content of a stream; None if it cannot be decoded."""
    try:
        return stream.read_bytes(StreamDecodeLevel.specialized)
    except pikepdf.PdfError:
        return None


class Visited:
    """Objects that were met, so that a loop in a damaged file ends."""

    def __init__(self) -> None:
        self._keys: set[tuple[int, int]] = set()
        self.count = 0
        """Objects that were met, direct ones included."""

    def add(self, item: pikepdf.Object) -> bool:
        """Note an object, and return whether it is new; direct objects always are."""
        self.count += 1
        if not item.is_indirect:
            return True
        if item.objgen in self._keys:
            return False
        self._keys.add(item.objgen)
        return True
