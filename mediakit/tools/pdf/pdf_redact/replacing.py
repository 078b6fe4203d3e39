"""Replaces what is found: in texts outside the content of pages, and in names of the format.

Names are keys, layers, styles, colors, and the resources and tags of content.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote_to_bytes

import pikepdf
from pikepdf import Array, ContentStreamInlineImage, ContentStreamInstruction, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.objects import name_of
from mediakit.tools.pdf.pdf_redact.searching import Finder, Hit, Search
from mediakit.tools.pdf.pdf_redact.stream_text import (
    containers,
    content_bytes,
    content_holders,
    is_page_or_stream,
    names_in,
    names_of_content,
)

BLOCK = "█"
"""Stands for a text that was removed."""


class Replacer(Search):
    """Replaces texts, and notes what was found."""

    def __init__(self, finder: Finder, label: str) -> None:
        super().__init__(finder)
        self._replacement = label or BLOCK * 3
        self._known: dict[str, str | None] = {}
        self._unique: dict[str, str] = {}
        self.places: dict[str, int] = {}
        """How many texts of a kind were changed: `bookmarks`, `tags` and so on."""

    def replaced(self, text: str) -> str | None:
        """Return a text without what is found in it, or None if nothing is."""
        if text not in self._known:
            self._known[text] = self._replaced(text)
        return self._known[text]

    def unique(self, text: str) -> str | None:
        """Return a name that no other name has instead of one with a match, or None if there is none."""
        if self.replaced(text) is None:
            return None
        return self._unique.setdefault(text, BLOCK * (len(self._unique) + 1))

    def note(self, place: str, count: int = 1) -> None:
        """Count a text that was changed."""
        self.places[place] = self.places.get(place, 0) + count

    def _replaced(self, text: str) -> str | None:
        hits = self.find(text)
        if not hits:
            return None
        parts: list[str] = []
        at = 0
        for start, end in _merged(hits):
            parts += text[at:start], self._replacement
            at = end
        return "".join((*parts, text[at:]))


def _merged(hits: Sequence[Hit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for hit in sorted(hits):
        if spans and hit.start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], hit.end)
        else:
            spans.append((hit.start, hit.end))
    return spans


def decoded_address(address: bytes) -> list[str]:
    """Return an address as it is and decoded."""
    written = address.decode("utf-8", "replace")
    decoded = unquote_to_bytes(address.replace(b"+", b" ")).decode("utf-8", "replace")
    return list(dict.fromkeys((written, decoded, decoded.replace("-", " ").replace("_", " "))))


FONT_KEYS = {"/BaseFont", "/FontName"}
"""Keys with the names of fonts: a reader draws other letters if they change."""


def rename(pdf: pikepdf.Pdf, replacer: Replacer) -> None:
    """Give each name with a longer word another one, the same everywhere; names of fonts and glyphs stay."""
    holders = [holder for _, holder in containers([*pdf.objects, pdf.trailer])]
    glyphs = {name for holder in holders for name in _glyph_names(holder)}
    found = {name for holder in holders for name in names_in(holder)}
    contents = [
        (holder, names_of_content(content_bytes(holder)))
        for holder in content_holders(pdf)
        if is_page_or_stream(holder)
    ]
    for _, names in contents:
        found |= names
    long = list(filter(replacer.finder.has_long_word, found))
    replacer.finds(long)
    new = {f"/{name}": f"/{other}" for name in long if name not in glyphs and (other := replacer.unique(name))}
    if not new:
        return
    for holder in holders:
        _rename_in(holder, new)
    for holder, names in contents:
        if any(f"/{name}" in new for name in names):
            _rename_in_content(pdf, holder, new)
    replacer.note("names", len(new))


def _glyph_names(item: Object) -> set[str]:
    if isinstance(item, Array):
        return set()
    glyphs, procedures = item.get("/Differences"), item.get("/CharProcs")
    names = [name_of(each)[1:] for each in glyphs] if isinstance(glyphs, Array) else []
    return {*names, *(key[1:] for key, _ in procedures.items())} if isinstance(procedures, Dictionary) else set(names)


def _rename_in(item: Object, new: Mapping[str, str]) -> None:
    if isinstance(item, Array):
        for index, value in enumerate(item):
            if (name := new.get(name_of(value))) is not None:
                item[index] = Name(name)
        return
    for key, value in list(item.items()):
        if key not in FONT_KEYS and (name := new.get(name_of(value))) is not None:
            item[key] = Name(name)
        elif key == "/DA" and isinstance(value, String):
            item[key] = _with_renamed_font(value, new)
        if key in new:
            item[new[key]] = item[key]
            del item[key]


def _with_renamed_font(appearance: String, new: Mapping[str, str]) -> String:
    """Return the default appearance of a field, which names its font."""
    tokens = str(appearance).split()
    if not any(each in new for each in tokens):
        return appearance
    return String(b" ".join(Name(new[each]).unparse() if each in new else each.encode() for each in tokens))


def _rename_in_content(pdf: pikepdf.Pdf, holder: Object, new: Mapping[str, str]) -> None:
    instructions = [
        item
        if isinstance(item, ContentStreamInlineImage)
        else ContentStreamInstruction([_renamed(each, new) for each in item.operands], item.operator)
        for item in pikepdf.parse_content_stream(holder)
    ]
    content = pikepdf.unparse_content_stream(instructions)
    if isinstance(holder, Stream):
        holder.write(content)
    else:
        holder.Contents = pdf.make_stream(content)


def _renamed(operand: Any, new: Mapping[str, str]) -> Any:
    """Return an operand with its names and those inside it renamed."""
    if isinstance(operand, Array | Dictionary):
        _rename_in(operand, new)
        for value in list(operand) if isinstance(operand, Array) else list(operand.values()):
            _renamed(value, new)
    return Name(new[name_of(operand)]) if name_of(operand) in new else operand
