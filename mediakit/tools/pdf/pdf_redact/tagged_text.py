"""Removes texts that stand in for content: `/ActualText`, `/Alt` and `/E` of marked content and of structure elements.

A text goes if it has a match, or if its content lost something.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.objects import dictionary, one_or_more
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.page_content import contents_bytes
from mediakit.tools.pdf.pdf_redact.document_texts import Replacer
from mediakit.tools.pdf.pdf_redact.scope import Element, elements
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
    walk = _Walk(None)
    try:
        walk.run(page.obj, dictionary(page.obj.get(Name.Resources)), 0)
    except (pikepdf.PdfError, RecursionError):
        return []
    return walk.found


class _Walk:
    """Reads the content of a page and of the forms that it draws, and rewrites the properties of marked content.

    `rewrite` gets properties, whether the resources name them, and the place of their sequence; it returns new ones.
    """

    def __init__(self, rewrite: Callable[[Object, bool, int | None], Object | None] | None) -> None:
        self._rewrite = rewrite
        self.found: list[Sequence] = []
        self._open: list[Sequence | None] = []

    def run(self, content: Object, resources: Object, depth: int) -> bytes | None:
        """Return the changed content, or None if nothing changes."""
        marked, objects = dictionary(resources.get(Name.Properties)), dictionary(resources.get(Name.XObject))
        changed = False
        kept: list[object] = []
        for item in pikepdf.parse_content_stream(content):
            kept.append(item)
            if isinstance(item, pikepdf.ContentStreamInlineImage):
                self._add(len(item.iimage.unparse()))
                continue
            operands, name = list(item.operands), str(item.operator)
            if name in ("BMC", "BDC", "DP"):
                if (new := self._marked(name, operands, marked)) is not None:
                    kept[-1] = pikepdf.ContentStreamInstruction([operands[0], new], item.operator)
                    changed = True
            elif name == "EMC" and self._open:
                self._open.pop()
            elif name in SHOWING:
                self._add(shown_bytes(operands))
            elif name == "Do" and operands and isinstance(operands[0], Name):
                self._paint(objects.get(operands[0]), resources, depth)
        return pikepdf.unparse_content_stream(kept) if changed else None  # type: ignore[arg-type]  # a mixed list

    def _marked(self, name: str, operands: list[Object], marked: Object) -> Object | None:
        """Begin a sequence, and return its new properties if they change."""
        properties: object = operands[1] if len(operands) > 1 else None
        is_named = isinstance(properties, Name)
        if isinstance(properties, Name):
            properties = marked.get(properties)
        place = None
        if name != "DP":
            mcid: object = dictionary(properties).get(Name.MCID)
            sequence = Sequence(
                mcid if isinstance(mcid, int) else None, any(key in dictionary(properties) for key in TEXTS)
            )
            is_counted = sequence.mcid is not None or sequence.texts
            self._open.append(sequence if is_counted else None)
            if is_counted:
                place = len(self.found)
                self.found.append(sequence)
        if self._rewrite is None or not isinstance(properties, Dictionary):
            return None
        return self._rewrite(properties, is_named, place)

    def _add(self, weight: int) -> None:
        for each in self._open:
            if each is not None:
                each.weight += weight

    def _paint(self, item: object, resources: Object, depth: int) -> None:
        if not isinstance(item, Stream):
            return
        if item.get(Name.Subtype) == Name.Image:
            self._add(len(item.read_raw_bytes()))
        elif item.get(Name.Subtype) == Name.Form and depth < MAX_FORM_DEPTH:
            own = item.get(Name.Resources)
            content = self.run(item, own if isinstance(own, Dictionary) else resources, depth + 1)
            if content is not None:
                item.write(content)


def shown_bytes(operands: list[Object]) -> int:
    """Return how many bytes of text an operator shows."""
    last = operands[-1] if operands else None
    if isinstance(last, Array):
        return sum(len(bytes(item)) for item in last if isinstance(item, String))
    return len(bytes(last)) if isinstance(last, String) else 0


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

    `touched` are the places, in the list of `sequences`, of those that lost content; with `alternates`, their alternate
    texts go too.
    """
    removed = (Name.ActualText, Name.E, Name.Alt) if alternates else (Name.ActualText, Name.E)

    def rewrite(properties: Object, is_named: bool, place: int | None) -> Object | None:  # noqa: FBT001  # a callback
        new = properties if is_named else Dictionary(dict(properties.items()))
        changed = False
        for key, value in list(properties.items()):
            found = list(filter(None, map(replacer.replaced, texts_in(value)))) if isinstance(value, String) else []
            if found:
                new[key] = String(found[0])
            elif (isinstance(value, String) and place in touched and Name(key) in removed) or (
                isinstance(value, Array | Dictionary) and not is_named and replacer.finds(inner_texts([value]))
            ):
                del new[key]
            else:
                continue
            replacer.note("tags")
            changed = True
        return new if changed and not is_named else None

    content = _Walk(rewrite).run(page.obj, dictionary(page.obj.get(Name.Resources)), 0)
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


def remove_stand_ins(
    source: Source, touched: Mapping[PageKey, Collection[int]], replacer: Replacer, *, alternates: bool
) -> None:
    """Remove `/ActualText` and `/E` of tags whose content was removed in part.

    A text with a match is left as it is: the match is replaced with all others. `touched` are the identifiers of marked
    content that lost something, by page. With `alternates`, `/Alt` goes too: it may describe what was in an area.
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
        kids = one_or_more(element.tag.get(Name.K))
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
