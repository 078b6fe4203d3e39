"""Stores equal objects once."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.objects import RAW, name_of
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
        first: dict[bytes, PageKey] = {}
        same: dict[PageKey, PageKey] = {}
        for item in objects:
            digest = _digest(item)
            if digest is not None and (key := first.setdefault(digest, item.objgen)) != item.objgen:
                same[item.objgen] = key
        if not same:
            return
        for item in objects:
            if not same.keys().isdisjoint(references(item)):
                _redirect(pdf, item, same)


def _digest(item: pikepdf.Object) -> bytes | None:
    """Return a hash of an object that may be shared; None for all others."""
    if isinstance(item, Stream):
        if any(key in item for key in _IDENTITIES) or item.get(Name.Type) == Name.EmbeddedFile:
            return None
        digest = hashlib.sha256()
        for key in sorted(set(item.keys()) - {"/Length"}):
            value: object = item[key]
            digest.update(key.encode(*RAW))
            digest.update(value.unparse() if isinstance(value, pikepdf.Object) else repr(value).encode())
        digest.update(item.read_raw_bytes())
        return digest.digest()
    is_color_space = isinstance(item, Array) and len(item) > 1 and name_of(item[0]) in _COLOR_SPACES
    if is_color_space or (isinstance(item, Dictionary) and name_of(item.get(Name.Type)) in _SHARED_TYPES):
        return hashlib.sha256(item.unparse(resolved=True)).digest()
    return None


def _redirect(pdf: pikepdf.Pdf, holder: pikepdf.Object, same: Mapping[PageKey, PageKey]) -> None:
    """Replace references in an object and in its direct members."""
    waiting = [holder]
    while waiting:
        current = waiting.pop()
        pairs: list[tuple[Any, object]]
        pairs = list(enumerate(current)) if isinstance(current, Array) else list(current.items())
        for key, value in pairs:
            if not isinstance(value, Dictionary | Array | Stream):
                continue
            if not value.is_indirect:
                waiting.append(value)
            elif value.objgen in same:
                current[key] = pdf.get_object(same[value.objgen])
