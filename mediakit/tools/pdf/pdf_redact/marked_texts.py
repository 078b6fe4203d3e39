"""Texts in the marked content of pages and forms (`/ActualText`, `/Alt`, `/E`): what is found goes from them."""

import re
from collections.abc import Collection

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.graphics_state import contents_bytes
from mediakit.engines.pdf.objects import dictionary
from mediakit.tools.pdf.pdf_redact.decoding import texts_in
from mediakit.tools.pdf.pdf_redact.document_texts import strings
from mediakit.tools.pdf.pdf_redact.marked_content import MAX_DEPTH, TEXTS, property_list
from mediakit.tools.pdf.pdf_redact.texts import Replacer

_TEXT = re.compile(rb"<<[^>]*[(<]|\bDo\b")
"""Properties with a text or with others inside, or a form that may have some."""


def scrub_marked_content(
    pdf: pikepdf.Pdf, page: pikepdf.Page, touched: Collection[int], replacer: Replacer, *, alternates: bool
) -> None:
    """Remove texts that stand in for content from a page and the forms that it draws.

    Args:
        pdf: The document.
        page: The page.
        touched: Places, among the sequences that `marked_content.sequences` lists, of those that lost content.
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
            elif name == "Do" and operands and depth < MAX_DEPTH:
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
                is_inner and any(self._replacer.find(inner) for _, inner in strings(value))
            ):
                del new[key]
            else:
                continue
            self._replacer.note("tags")
            changed = True
        return new if changed and new is not properties else None

    def _next_place(self, properties: Object) -> int | None:
        """Return the place of a sequence, counted as `marked_content.sequences` does."""
        if not isinstance(properties.get(Name.MCID), int) and not any(key in properties for key in TEXTS):
            return None
        self._place += 1
        return self._place - 1
