"""Name trees and number trees (ISO 32000-2, 7.9.6 and 7.9.7): read whole, damaged ones too, and written sorted."""

from collections.abc import Iterator, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.objects import Visited

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


def read_numbers(tree: pikepdf.Object | None) -> list[tuple[int, pikepdf.Object]]:
    """Return the entries of a number tree, sorted, the first of each number."""
    found: dict[int, pikepdf.Object] = {}
    for key, value in _entries(tree, Name.Nums):
        if isinstance(key, int):
            found.setdefault(key, value)
    return sorted(found.items(), key=lambda entry: entry[0])


def write_names(pdf: pikepdf.Pdf, entries: Sequence[tuple[bytes, pikepdf.Object]]) -> pikepdf.Object:
    """Return a new name tree."""
    ordered = sorted(entries, key=lambda entry: entry[0])
    return _written(pdf, Name.Names, [(String(name), value) for name, value in ordered])


def write_numbers(pdf: pikepdf.Pdf, entries: Sequence[tuple[int, pikepdf.Object]]) -> pikepdf.Object:
    """Return a new number tree."""
    ordered = sorted(entries, key=lambda entry: entry[0])
    return _written(pdf, Name.Nums, ordered)


def _entries(tree: pikepdf.Object | None, key: Name) -> Iterator[tuple[pikepdf.Object | int, pikepdf.Object]]:
    nodes, visited = [tree], Visited()
    while nodes and visited.count < MAX_NODES:
        node = nodes.pop()
        if not isinstance(node, Dictionary) or not visited.add(node):
            continue
        yield from _pairs(node.get(key))
        if isinstance(kids := node.get(Name.Kids), Array):
            nodes += reversed(list(kids))


def _pairs(entries: pikepdf.Object | None) -> Iterator[tuple[pikepdf.Object | int, pikepdf.Object]]:
    if isinstance(entries, Array):
        flat = list(entries)
        yield from zip(flat[::2], flat[1::2], strict=False)


def _written(pdf: pikepdf.Pdf, key: Name, entries: Sequence[tuple[object, pikepdf.Object]]) -> pikepdf.Object:
    if len(entries) <= LEAF_ENTRIES:
        return pdf.make_indirect(Dictionary({str(key): _flat(entries)}))
    leaves = [entries[start : start + LEAF_ENTRIES] for start in range(0, len(entries), LEAF_ENTRIES)]
    kids = [Dictionary({"/Limits": Array([leaf[0][0], leaf[-1][0]]), str(key): _flat(leaf)}) for leaf in leaves]
    return pdf.make_indirect(Dictionary(Kids=Array([pdf.make_indirect(kid) for kid in kids])))


def _flat(entries: Sequence[tuple[object, pikepdf.Object]]) -> Array:
    return Array([item for entry in entries for item in entry])
