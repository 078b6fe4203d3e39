"""Reads PDF objects that may not be what they should be, name and number trees, and dates."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, StreamDecodeLevel, String

MAX_ANCESTORS = 60
"""Nodes of a tree that are followed upwards."""


def items(value: object) -> list[pikepdf.Object]:
    """Return the items of an array, or none of anything else."""
    return list(value) if isinstance(value, Array) else []


def one_or_more(value: object) -> list[pikepdf.Object]:
    """Return the items of an array, a single value as the only item, or none of a missing value."""
    if isinstance(value, Array):
        return list(value)
    return [] if value is None else [value]  # type: ignore[list-item]  # it is what an entry of a PDF holds


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
    """Return a name with its slash, such as `/Link`; empty for anything else."""
    return name_text(bytes(value)) if isinstance(value, Name) else ""


def name_text(name: bytes) -> str:
    """Return the text of a name, which is UTF-8 (ISO 32000-1, 7.3.5); older programs wrote Latin-1."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")


RAW = ("utf-8", "surrogateescape")
"""How pikepdf decodes the keys of dictionaries, whose bytes may be anything."""


def key_text(key: str) -> str:
    """Return a key as `name_of` returns the same name."""
    return name_text(key.encode(*RAW))


def key_of(value: object) -> str:
    """Return a name as the key that pikepdf has for it in a dictionary."""
    return bytes(value).decode(*RAW) if isinstance(value, Name) else ""


def dictionary_of(entries: Mapping[str, object]) -> Dictionary:
    """Return a dictionary, also with keys whose bytes are not UTF-8, which the constructor of pikepdf refuses."""
    made = Dictionary()
    for key, value in entries.items():
        made[key] = value
    return made


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


def appearances(annotation: pikepdf.Object) -> Iterator[pikepdf.Stream]:
    """Yield the appearance streams of an annotation, in all states."""
    for look in dictionary(annotation.get(Name.AP)).values():
        if isinstance(look, Stream):
            yield look
        elif isinstance(look, Dictionary):
            yield from (state for state in look.values() if isinstance(state, Stream))


def ancestry(node: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """Yield a node of a tree, such as a field or a page, and the nodes above it."""
    for _ in range(MAX_ANCESTORS):
        yield node
        parent = node.get(Name.Parent)
        if not isinstance(parent, Dictionary):
            return
        node = parent


def inherited(field: pikepdf.Object, key: Name) -> pikepdf.Object | None:
    """Return the value of a field's key, its own or that of a field above it."""
    return next((node[key] for node in ancestry(field) if key in node), None)


def refers_to(kid: object, annotation: tuple[int, int]) -> bool:
    """Return whether a child of a structure element is a reference to an annotation, given by its number."""
    target = dictionary(kid).get(Name.Obj)
    return isinstance(target, Dictionary) and target.is_indirect and bool(target.objgen == annotation)


def stream_bytes(stream: pikepdf.Object) -> bytes | None:
    """Return the decoded content of a stream; None if it cannot be decoded."""
    try:
        return stream.read_bytes(StreamDecodeLevel.specialized)
    except (pikepdf.PdfError, pikepdf.DependencyError):  # pikepdf decodes JBIG2 with a program that may be missing
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


MAX_FIELDS = 100_000
"""Fields and widgets of a form that are read."""


class FieldNode(NamedTuple):
    """A node of the tree of a form: a field, a group of fields, or one of several widgets of a field."""

    name: str
    """Full name; widgets have that of their field."""
    item: pikepdf.Object
    is_widget: bool
    """Whether it is below a field and has no name of its own."""


def fields_of(form: object) -> Iterator[FieldNode]:
    """Yield the fields of a form, and their widgets, in the order of the file."""
    visited = Visited()
    waiting = [(field, "", False) for field in reversed(dictionaries(dictionary(form).get(Name.Fields)))]
    while waiting and visited.count < MAX_FIELDS:
        field, prefix, is_kid = waiting.pop()
        if visited.add(field):
            name = ".".join(filter(None, (prefix, text_of(field.get(Name.T)).strip())))
            yield FieldNode(name, field, is_kid and Name.T not in field)
            waiting += [(kid, name, True) for kid in reversed(dictionaries(field.get(Name.Kids)))]


def differences(encoding: object) -> dict[int, str]:
    """Return the names of the glyphs, by their codes, in which the encoding of a font differs from its base."""
    names: dict[int, str] = {}
    code: Any = 0
    for item in items(dictionary(encoding).get(Name.Differences)):
        if isinstance(item, int):
            code = item
        elif isinstance(item, Name):
            names[code] = name_of(item)[1:]
            code += 1
    return names


LEAF_ENTRIES = 64
"""Entries of one leaf of a tree that is written."""

MAX_NODES = 100_000
"""Nodes of a tree that are read."""


def read_names(tree: pikepdf.Object | None) -> list[tuple[bytes, pikepdf.Object]]:
    """Return the entries of a name tree, in file order, the first of each name."""
    found: dict[bytes, pikepdf.Object] = {}
    for key, value in _entries(tree, Name.Names):
        if isinstance(key, String):
            found.setdefault(bytes(key), value)
    return list(found.items())


def read_number_tree(tree: pikepdf.Object | None) -> list[tuple[int, pikepdf.Object]]:
    """Return the entries of a number tree, sorted, the first of each number."""
    found: dict[int, pikepdf.Object] = {}
    for key, value in _entries(tree, Name.Nums):
        if isinstance(key, int):
            found.setdefault(key, value)
    return sorted(found.items(), key=lambda entry: entry[0])


def flat_names(entries: Iterable[tuple[bytes, pikepdf.Object]]) -> Array:
    """Return names and their values in turn, as a leaf of a name tree has them."""
    return Array([item for name, value in entries for item in (String(name), value)])


def paired(entries: object) -> list[tuple[Any, pikepdf.Object]]:
    """Return keys and values that are in turn in an array as pairs."""
    flat = items(entries)
    return list(zip(flat[::2], flat[1::2], strict=False))


def write_names(pdf: pikepdf.Pdf, entries: Sequence[tuple[bytes, pikepdf.Object]]) -> pikepdf.Object:
    """Return a new name tree."""
    ordered = sorted(entries, key=lambda entry: entry[0])
    return _written(pdf, Name.Names, [(String(name), value) for name, value in ordered])


def write_number_tree(pdf: pikepdf.Pdf, entries: Sequence[tuple[int, pikepdf.Object]]) -> pikepdf.Object:
    """Return a new number tree."""
    ordered = sorted(entries, key=lambda entry: entry[0])
    return _written(pdf, Name.Nums, ordered)


def _entries(tree: pikepdf.Object | None, key: Name) -> Iterator[tuple[pikepdf.Object | int, pikepdf.Object]]:
    nodes, visited = [tree], Visited()
    while nodes and visited.count < MAX_NODES:
        node = nodes.pop()
        if not isinstance(node, Dictionary) or not visited.add(node):
            continue
        yield from paired(node.get(key))
        if isinstance(kids := node.get(Name.Kids), Array):
            nodes += reversed(list(kids))


def _written(pdf: pikepdf.Pdf, key: Name, entries: Sequence[tuple[object, pikepdf.Object]]) -> pikepdf.Object:
    if len(entries) <= LEAF_ENTRIES:
        return pdf.make_indirect(Dictionary({str(key): Array(chain.from_iterable(entries))}))
    leaves = [entries[start : start + LEAF_ENTRIES] for start in range(0, len(entries), LEAF_ENTRIES)]
    kids = [
        Dictionary({"/Limits": Array([leaf[0][0], leaf[-1][0]]), str(key): Array(chain.from_iterable(leaf))})
        for leaf in leaves
    ]
    return pdf.make_indirect(Dictionary(Kids=Array([pdf.make_indirect(kid) for kid in kids])))


_PDF_DATE = re.compile(
    r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:(Z)|([+-])(\d\d)'?(\d\d)?)?", re.ASCII | re.IGNORECASE
)


def iso_of(text: str) -> str:
    """Return a date of a PDF in ISO 8601, as exact as it is; text that is not a date is returned unchanged."""
    match = _PDF_DATE.match(text.strip())
    if not match:
        return text
    year, month, day, hour, minute, second, utc, sign, hours, minutes = match.groups()
    date = "-".join(part for part in (year, month, day if month else None) if part)
    if not (month and day and hour):
        return date if _is_date(date) else text
    zone = "Z" if utc else f"{sign}{hours}:{minutes or '00'}" if sign else ""
    moment = f"{date}T{hour}:{minute or '00'}:{second or '00'}{'+00:00' if zone == 'Z' else zone}"
    return moment if _is_date(moment) else text


def pdf_of(iso: str) -> str:
    """Return a date of ISO 8601, with or without a time and a zone, as a PDF has it.

    Raises:
        ValueError: The text is not a date.
    """
    moment = datetime.fromisoformat(iso)
    if len(iso) <= len("2026-12-31"):
        return f"D:{moment:%Y%m%d}"
    zone = f"{moment:%z}"
    return f"D:{moment:%Y%m%d%H%M%S}" + (f"{zone[:3]}'{zone[3:5]}'" if zone else "")


def _is_date(iso: str) -> bool:
    try:
        datetime.fromisoformat(iso + "-01-01"[3 * (len(iso) == 7) :] if len(iso) < 10 else iso)
    except ValueError:
        return False
    return True
