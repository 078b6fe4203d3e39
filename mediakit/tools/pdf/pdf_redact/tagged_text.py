"""Removes texts that stand in for content: `/ActualText`, `/Alt` and `/E` of marked content and of structure elements.

A text goes if it has a match, or if its content lost something.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Operator, Stream, String

from mediakit.engines.pdf.objects import dictionary
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.page_content import contents_bytes
from mediakit.tools.pdf.pdf_redact.replacing import Replacer
from mediakit.tools.pdf.pdf_redact.scope import Element, elements, kids_of
from mediakit.tools.pdf.pdf_redact.stream_text import MAX_FORM_DEPTH, SHOWING, inner_texts, texts_in

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
        elif item.get(Name.Subtype) == Name.Form and depth < MAX_FORM_DEPTH:
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


def touched_sequences(before: list[Sequence], after: list[Sequence]) -> tuple[set[int], set[int]]:
    """Return the identifiers, and the places among sequences, of those that lost something.

    If the sequences are not the same ones, all count as touched.
    """
    same = [(each.mcid, each.texts) for each in before] == [(each.mcid, each.texts) for each in after]
    places = {place for place, each in enumerate(after) if not same or each.weight != before[place].weight}
    lost = set() if same else {each.mcid for each in before}
    return {mcid for mcid in lost | {after[place].mcid for place in places} if mcid is not None}, places


_TEXT = re.compile(rb"<<[^>]*[(<]|\bDo\b")
"""Properties with a text or with others inside, or a form that may have some."""


def scrub_marked_content(
    pdf: pikepdf.Pdf, page: pikepdf.Page, touched: Collection[int], replacer: Replacer, *, alternates: bool
) -> None:
    """Remove texts that stand in for content from a page and the forms that it draws.

    Args:
        pdf: The document.
        page: The page.
        touched: Places, among the sequences that `sequences` lists, of those that lost content.
        replacer: Replaces what is found.
        alternates: Remove the alternate texts of touched sequences too.
    """
    resources = dictionary(page.obj.get(Name.Resources))
    content = _Rewriting(touched, replacer, alternates=alternates).run(page.obj, resources, 0)
    if content is not None:
        page.obj.Contents = pdf.make_stream(content)


def has_texts(page: pikepdf.Page) -> bool:
    """Return whether the content of a page, or the properties that it names, may have such texts."""
    properties = dictionary(dictionary(page.obj.get(Name.Resources)).get(Name.Properties))
    if any(key in dictionary(value) for value in properties.values() for key in TEXTS):
        return True
    try:
        return _TEXT.search(contents_bytes(page)) is not None
    except pikepdf.PdfError:
        return False


class _Rewriting:
    def __init__(self, touched: Collection[int], replacer: Replacer, *, alternates: bool) -> None:
        self._touched, self._replacer = touched, replacer
        self._removed = (Name.ActualText, Name.E, Name.Alt) if alternates else (Name.ActualText, Name.E)
        self._place = 0

    def run(self, content: Object, resources: Object, depth: int) -> bytes | None:
        """Return the changed content of a page or a form, or None if nothing changes."""
        marked, objects = dictionary(resources.get(Name.Properties)), dictionary(resources.get(Name.XObject))
        changed = False
        kept: list[object] = []
        for item in pikepdf.parse_content_stream(content):
            kept.append(item)
            if isinstance(item, pikepdf.ContentStreamInlineImage):
                continue
            operands, name = list(item.operands), str(item.operator)
            if name in ("BDC", "DP") and (new := self._new_properties(operands, marked, name)) is not None:
                kept[-1] = pikepdf.ContentStreamInstruction([operands[0], new], item.operator)
                changed = True
            elif name == "Do" and operands and depth < MAX_FORM_DEPTH:
                self._run_form(objects.get(str(operands[0])), resources, depth)
        return pikepdf.unparse_content_stream(kept) if changed else None  # type: ignore[arg-type]  # a mixed list

    def _run_form(self, form: object, resources: Object, depth: int) -> None:
        if isinstance(form, Stream) and form.get(Name.Subtype) == Name.Form:
            own = form.get(Name.Resources)
            content = self.run(form, own if isinstance(own, Dictionary) else resources, depth + 1)
            if content is not None:
                form.write(content)

    def _new_properties(self, operands: list[Object], marked: Object, name: str) -> Object | None:
        properties = property_list(operands, marked)
        if properties is None:
            return None
        place = self._next_place(properties) if name == "BDC" else None
        new = properties if isinstance(operands[1], Name) else Dictionary(dict(properties.items()))
        changed = False
        for key, value in list(properties.items()):
            is_inner = isinstance(value, Array | Dictionary) and not isinstance(operands[1], Name)
            texts = texts_in(value) if isinstance(value, String) else ()
            text = next(filter(None, map(self._replacer.replaced, texts)), None)
            if text is not None:
                new[key] = String(text)
            elif (isinstance(value, String) and place in self._touched and Name(key) in self._removed) or (
                is_inner and any(map(self._replacer.find, inner_texts([value])))
            ):
                del new[key]
            else:
                continue
            self._replacer.note("tags")
            changed = True
        return new if changed and new is not properties else None

    def _next_place(self, properties: Object) -> int | None:
        """Return the place of a sequence, counted as `sequences` does."""
        if not isinstance(properties.get(Name.MCID), int) and not any(key in properties for key in TEXTS):
            return None
        self._place += 1
        return self._place - 1


def remove_stand_ins(
    source: Source, touched: Mapping[PageKey, Collection[int]], replacer: Replacer, *, alternates: bool
) -> None:
    """Remove `/ActualText` and `/E` of tags whose content was removed in part.

    A text with a match is left as it is: the match is replaced with all others.

    Args:
        source: The document.
        touched: Identifiers of marked content that lost something, by page.
        replacer: Finds matches.
        alternates: Remove `/Alt` too, which may describe what was in an area.
    """
    keys = (Name.ActualText, Name.E, Name.Alt) if alternates else (Name.ActualText, Name.E)
    done: set[int] = set()
    for element in elements(source) if touched else ():
        if not any(mcid in touched.get(page, ()) for page, mcid in element.contents):
            continue
        each: Element | None = element
        while each is not None and id(each) not in done:
            done.add(id(each))
            for key in keys:
                text = each.tag.get(key)
                if isinstance(text, String) and not any(map(replacer.find, texts_in(text))):
                    del each.tag[key]
                    replacer.note("tags")
            each = each.parent


def forget_pages(source: Source, pages: Collection[PageKey]) -> None:
    """Remove references to the marked content of pages that have none any more."""
    for element in elements(source):
        kids = kids_of(element.tag)
        kept = [kid for kid in kids if not _is_content_of(kid, element.page, pages)]
        if len(kept) < len(kids):
            if kept:
                element.tag.K = Array(kept)
            else:
                del element.tag.K


def _is_content_of(kid: object, page: PageKey | None, pages: Collection[PageKey]) -> bool:
    if isinstance(kid, int):
        return page in pages
    if isinstance(kid, Dictionary) and kid.get(Name.Type) == Name.MCR:
        own = kid.get(Name.Pg)
        return (own.objgen if isinstance(own, Dictionary) else page) in pages
    return False
