"""Marked content of pages: which sequences lost something, and the texts that stand in for content."""

from collections.abc import Iterator
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, Operator, Stream, String

from mediakit.engines.pdf.objects import dictionary

MAX_DEPTH = 12
"""Forms inside forms that are followed."""

SHOWING = {"Tj", "TJ", "'", '"'}
TEXTS = (Name.ActualText, Name.Alt, Name.E)
"""Entries of marked content and of tags that stand in for content."""


@dataclass
class Sequence:
    """A sequence of marked content."""

    mcid: int | None
    texts: bool
    """Whether it has a text that stands in for its content."""
    weight: int = 0
    """Bytes of shown text and of images in it; it changes when something is removed."""


def sequences(page: pikepdf.Page) -> list[Sequence]:
    """Return the sequences of marked content of a page that have an identifier or a text, in order."""
    found: list[Sequence] = []
    try:
        _Weighing(found).run(page.obj, dictionary(page.obj.get(Name.Resources)))
    except (pikepdf.PdfError, RecursionError):
        return []
    return found


class _Weighing:
    def __init__(self, found: list[Sequence]) -> None:
        self._found = found
        self._open: list[Sequence | None] = []

    def run(self, content: pikepdf.Object, resources: pikepdf.Object, depth: int = 0) -> None:
        marked = dictionary(resources.get(Name.Properties))
        objects = dictionary(resources.get(Name.XObject))
        for operands, operator in instructions(content):
            name = str(operator)
            if name in ("BMC", "BDC"):
                self._begin(property_list(operands, marked) if name == "BDC" else None)
            elif name == "EMC" and self._open:
                self._open.pop()
            elif name in SHOWING:
                self._add(shown_bytes(operands))
            elif name == "INLINE IMAGE":
                self._add(len(operands[0].unparse()))
            elif name == "Do" and operands and str(operands[0]) in objects:
                self._paint(objects[str(operands[0])], resources, depth)

    def _begin(self, properties: pikepdf.Object | None) -> None:
        mcid: object = properties.get(Name.MCID) if properties is not None else None
        texts = properties is not None and any(key in properties for key in TEXTS)
        if not isinstance(mcid, int) and not texts:
            self._open.append(None)
            return
        sequence = Sequence(mcid if isinstance(mcid, int) else None, texts)
        self._open.append(sequence)
        self._found.append(sequence)

    def _add(self, weight: int) -> None:
        for each in self._open:
            if each is not None:
                each.weight += weight

    def _paint(self, item: object, resources: pikepdf.Object, depth: int) -> None:
        if not isinstance(item, Stream):
            return
        if item.get(Name.Subtype) == Name.Image:
            self._add(len(item.read_raw_bytes()))
        elif item.get(Name.Subtype) == Name.Form and depth < MAX_DEPTH:
            own = item.get(Name.Resources)
            self.run(item, own if isinstance(own, Dictionary) else resources, depth + 1)


def instructions(content: pikepdf.Object) -> Iterator[tuple[list[pikepdf.Object], Operator]]:
    """Return the instructions of a page or a form."""
    for item in pikepdf.parse_content_stream(content):
        if isinstance(item, pikepdf.ContentStreamInlineImage):
            yield list(item.operands), Operator("INLINE IMAGE")
        else:
            yield list(item.operands), item.operator


def shown_bytes(operands: list[pikepdf.Object]) -> int:
    """Return how many bytes of text an operator shows."""
    last = operands[-1] if operands else None
    if isinstance(last, Array):
        return sum(len(bytes(item)) for item in last if isinstance(item, String))
    return len(bytes(last)) if isinstance(last, String) else 0


def property_list(operands: list[pikepdf.Object], marked: pikepdf.Object) -> pikepdf.Object | None:
    """Return the property list of marked content."""
    if len(operands) < 2:
        return None
    last: object = operands[1]
    if isinstance(last, Name):
        last = marked.get(str(last))
    return last if isinstance(last, Dictionary) else None


def touched(before: list[Sequence], after: list[Sequence]) -> tuple[set[int], set[int]]:
    """Return the identifiers, and the places among sequences, of those that lost something.

    If the sequences are not the same ones, all count as touched.
    """
    same = [(each.mcid, each.texts) for each in before] == [(each.mcid, each.texts) for each in after]
    places = {place for place, each in enumerate(after) if not same or each.weight != before[place].weight}
    lost = set() if same else {each.mcid for each in before}
    return {mcid for mcid in lost | {after[place].mcid for place in places} if mcid is not None}, places
