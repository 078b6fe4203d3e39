"""Page labels: the numbers that viewers show, such as iv or A-3."""

from collections.abc import Mapping
from dataclasses import dataclass

import pikepdf
from pikepdf import Dictionary, Name, String

from mediakit.engines.pdf.destinations import Feature, Part
from mediakit.engines.pdf.objects import read_number_tree, write_number_tree
from mediakit.engines.pdf.request_fields import NumberFormat, format_number
from mediakit.engines.pdf.source import Source

STYLES: Mapping[str, NumberFormat] = {"/D": "1", "/r": "i", "/R": "I", "/a": "a", "/A": "A"}
"""Numbering styles by their names in a PDF."""


@dataclass(frozen=True, slots=True)
class Label:
    """Label of one page."""

    style: str
    """Name of the numbering style, such as `/D` or `/r`; empty for none."""
    prefix: bytes
    """Text before the number, as the PDF holds it."""
    number: int

    def follows(self, other: "Label | None") -> bool:
        """Return whether the label is the next after another in the same range."""
        if other is None or (self.style, self.prefix) != (other.style, other.prefix):
            return False
        return self.number == other.number + 1 or not self.style

    @property
    def text(self) -> str:
        """The label as viewers show it."""
        number = format_number(self.number, STYLES[self.style]) if self.style in STYLES else ""
        return str(String(self.prefix)) + number


class PageLabels(Feature):
    """Page labels of all parts; parts without labels count on as decimal pages of the result."""

    key = "/PageLabels"

    def __init__(self) -> None:
        self._labels: dict[int, Label] = {}

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Read the labels; nothing has to be copied."""
        tree = part.source.root.get(Name.PageLabels)
        if tree is not None:
            labels = part.source.read_once(page_labels)
            self._labels |= {part.first + at: labels[index] for at, index in enumerate(part.indices)}
        return None

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write a range wherever the labels do not just count on."""
        if not self._labels:
            return
        entries: list[tuple[int, pikepdf.Object]] = []
        before: Label | None = None
        for index in range(len(pdf.pages)):
            label = self._labels.get(index, Label("/D", b"", index + 1))
            if not label.follows(before):
                entries.append((index, _written(label)))
            before = label
        pdf.Root.PageLabels = write_number_tree(pdf, entries)


def read_labels(tree: pikepdf.Object | None, count: int) -> list[Label]:
    """Return the label of each page of a PDF."""
    ranges = {index: entry for index, entry in read_number_tree(tree) if isinstance(entry, Dictionary)}
    labels: list[Label] = []
    style, prefix, number = "/D", b"", 0
    for index in range(count):
        number += 1
        if index in ranges:
            style, prefix, number = _read(ranges[index])
        labels.append(Label(style, prefix, number))
    return labels


def page_labels(source: Source) -> list[Label]:
    """Return the label of each page; without labels, pages are numbered from 1."""
    return read_labels(source.root.get(Name.PageLabels), len(source.pages))


def label_texts(source: Source) -> list[str] | None:
    """Return the label of each page as viewers show it, or None for a PDF without page labels."""
    tree = source.root.get(Name.PageLabels)
    if not isinstance(tree, Dictionary):
        return None
    return [label.text for label in page_labels(source)]


def _read(entry: pikepdf.Object) -> tuple[str, bytes, int]:
    style, prefix = entry.get(Name.S), entry.get(Name.P)
    start: object = entry.get(Name.St)
    return (
        str(style) if isinstance(style, Name) else "",
        bytes(prefix) if isinstance(prefix, String) else b"",
        start if isinstance(start, int) else 1,
    )


def _written(label: Label) -> pikepdf.Object:
    entry = Dictionary()
    if label.style:
        entry.S = Name(label.style)
    if label.prefix:
        entry.P = String(label.prefix)
    if label.number != 1:
        entry.St = label.number
    return entry
