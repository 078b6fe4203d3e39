"""Annotations and fields: what is found in them, and those that lie in areas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pikepdf import Array, Dictionary, Name, Object

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.engines.pdf.objects import dictionaries, dictionary, inherited, items
from mediakit.tools.pdf.pdf_redact.decoding import texts_in
from mediakit.tools.pdf.pdf_redact.document_texts import MAX_DEPTH
from mediakit.tools.pdf.pdf_redact.marks import Box, meet
from mediakit.tools.pdf.pdf_redact.searching import MatchKind
from mediakit.tools.pdf.pdf_redact.texts import Replacer


@dataclass(frozen=True)
class AnnotationMatch:
    """Something that was found in an annotation."""

    kind: MatchKind
    text: str
    box: Box


def matches_of(page: Object, replacer: Replacer) -> Iterator[AnnotationMatch]:
    """Return what is found in the texts and values of annotations of a page."""
    for annotation in dictionaries(page.get(Name.Annots)):
        box = corners(annotation)
        if box is None:
            continue
        seen: set[tuple[MatchKind, str]] = set()
        for text in _texts(annotation):
            for hit in replacer.find(text):
                found = hit.kind, text[hit.start : hit.end]
                if found not in seen:
                    seen.add(found)
                    yield AnnotationMatch(*found, box)


def _texts(annotation: Object) -> Iterator[str]:
    is_field = annotation.get(Name.Subtype) == Name.Widget
    keys = (Name.V,) if is_field else (Name.Contents, Name.Subj, Name.T)
    for key in keys:
        value = inherited(annotation, key) if is_field else annotation.get(key)
        for each in items(value) or (value,):
            yield from texts_in(each)


def corners(annotation: Object) -> Box | None:
    """Return the rectangle of an annotation in user space."""
    numbers = read_numbers(annotation.get(Name.Rect))
    if len(numbers) != 4:
        return None
    left, bottom, right, top = numbers
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def remove_in_areas(page: Object, areas: Sequence[Box]) -> list[Object]:
    """Remove the annotations of a page that lie in areas, in whole or in part, and return them."""
    removed = [
        annotation
        for annotation in dictionaries(page.get(Name.Annots))
        if (box := corners(annotation)) and any(meet(box, area) for area in areas)
    ]
    if removed:
        gone = {annotation.objgen for annotation in removed}
        page.Annots = Array(
            [item for item in items(page.Annots) if not (isinstance(item, Dictionary) and _is_gone(item, gone, areas))]
        )
    return removed


def _is_gone(item: Object, gone: set[tuple[int, int]], areas: Sequence[Box]) -> bool:
    parent = item.get(Name.Parent)
    if item.get(Name.Subtype) == Name.Popup and isinstance(parent, Dictionary) and parent.objgen in gone:
        return True
    if item.is_indirect:
        return item.objgen in gone
    box = corners(item)
    return box is not None and any(meet(box, area) for area in areas)


def remove_fields(root: Object, widgets: Sequence[Object]) -> None:
    """Remove the fields of widgets, with their values."""
    gone = {widget.objgen for widget in widgets if widget.get(Name.Subtype) == Name.Widget}
    form = dictionary(root.get(Name.AcroForm))
    if gone and Name.Fields in form:
        form.Fields = Array(_kept(form.Fields, gone, 0))
        if Name.CO in form:
            form.CO = Array([item for item in items(form.CO) if item.objgen not in gone])


def _kept(fields: object, gone: set[tuple[int, int]], depth: int) -> list[Object]:
    kept: list[Object] = []
    for field in items(fields):
        if not isinstance(field, Dictionary) or field.objgen in gone:
            continue
        if Name.Kids in field and depth < MAX_DEPTH:
            kids = _kept(field.Kids, gone, depth + 1)
            if not kids:
                continue
            if len(kids) < len(field.Kids):
                field.Kids = Array(kids)
        kept.append(field)
    return kept
