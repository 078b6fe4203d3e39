"""Stores equal objects once."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.opening import PageKey

_REFERENCE = re.compile(rb"(\d+) (\d+) R\b")


def used_objects(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    """Return all indirect objects in use, in the order of the references to them."""
    found: dict[PageKey, pikepdf.Object] = {}
    waiting = [pdf.trailer]
    while waiting:
        for key in references(waiting.pop()):
            if key not in found:
                found[key] = item = pdf.get_object(key)
                waiting.append(item)
    return list(found.values())


def references(item: pikepdf.Object) -> Iterator[PageKey]:
    """Yield the keys of the objects to which an object refers itself."""
    if isinstance(item, Stream):
        text = item.stream_dict.unparse(resolved=True)
    elif isinstance(item, Dictionary | Array):
        text = item.unparse(resolved=True)
    else:
        return
    for number, generation in _REFERENCE.findall(text):
        yield int(number), int(generation)


MAX_ROUNDS = 4
"""Equal streams make the dictionaries equal that refer to them, and so on."""

_SHARED_TYPES = frozenset(("/Font", "/FontDescriptor", "/ExtGState", "/Encoding"))
"""Dictionaries without an identity of their own, unlike pages, annotations and tags."""

_COLOR_SPACES = frozenset(("/ICCBased", "/Indexed", "/Separation", "/DeviceN", "/CalRGB", "/CalGray", "/Lab"))
"""Names with which the array of a color space begins."""

_IDENTITIES = (Name.StructParent, Name.StructParents, Name.OC, Name.PieceInfo)
"""Entries of streams that belong to one place."""


def share_equal_objects(pdf: pikepdf.Pdf) -> None:
    """Let all references to equal objects lead to one of them; saving drops the others."""
    for _ in range(MAX_ROUNDS):
        objects = used_objects(pdf)
        same = _duplicates(objects)
        if not same:
            return
        for item in objects:
            if not same.keys().isdisjoint(references(item)):
                _redirect(pdf, item, same)


def _duplicates(objects: Sequence[pikepdf.Object]) -> dict[PageKey, PageKey]:
    """Return the objects that equal an earlier one, with the key of that."""
    first: dict[bytes, PageKey] = {}
    same: dict[PageKey, PageKey] = {}
    for item in objects:
        digest = _digest(item)
        if digest is not None:
            key = first.setdefault(digest, item.objgen)
            if key != item.objgen:
                same[item.objgen] = key
    return same


def _digest(item: pikepdf.Object) -> bytes | None:
    """Return a hash of an object that may be shared; None for all others."""
    if isinstance(item, Stream):
        if any(key in item for key in _IDENTITIES) or item.get(Name.Type) == Name.EmbeddedFile:
            return None
        text = b"".join(_entries(item))
        return hashlib.sha256(text + item.read_raw_bytes()).digest()
    is_color_space = isinstance(item, Array) and len(item) > 1 and str(item[0]) in _COLOR_SPACES
    if is_color_space or (isinstance(item, Dictionary) and str(item.get(Name.Type)) in _SHARED_TYPES):
        return hashlib.sha256(item.unparse(resolved=True)).digest()
    return None


def _entries(stream: pikepdf.Object) -> Iterator[bytes]:
    for key in sorted(set(stream.keys()) - {"/Length"}):
        value: object = stream[key]
        yield key.encode()
        yield value.unparse() if isinstance(value, pikepdf.Object) else repr(value).encode()


def _redirect(pdf: pikepdf.Pdf, holder: pikepdf.Object, same: Mapping[PageKey, PageKey]) -> None:
    """Replace references in an object and in its direct members."""
    waiting = [holder]
    while waiting:
        current = waiting.pop()
        for key, value in _members(current):
            if not value.is_indirect:
                waiting.append(value)
            elif value.objgen in same:
                current[key] = pdf.get_object(same[value.objgen])


def _members(holder: pikepdf.Object) -> list[tuple[int | str, pikepdf.Object]]:
    """Return the dictionaries, arrays and streams in an object, with their places."""
    pairs: list[tuple[int | str, object]]
    pairs = list(enumerate(holder)) if isinstance(holder, Array) else list(holder.items())
    return [(key, value) for key, value in pairs if isinstance(value, Dictionary | Array | Stream)]
