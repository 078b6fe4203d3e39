"""Replaces what is found outside the content of pages: in every string of a document, and in names of the format.

Strings are information, bookmarks, fields, annotations and tags; names are keys, layers, styles, colors, and the
resources and tags of content.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

import pikepdf
from pikepdf import Array, ContentStreamInlineImage, ContentStreamInstruction, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.objects import RAW, dictionary, key_text, name_of, read_names, text_of, write_names
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.tools.pdf.pdf_redact.page_content import write_content
from mediakit.tools.pdf.pdf_redact.searching import Finder, Search
from mediakit.tools.pdf.pdf_redact.stream_text import (
    containers,
    content_bytes,
    content_holders,
    is_page_or_stream,
    names_in,
    names_of_content,
    texts_in,
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
        if text in self._known:
            return self._known[text]
        parts: list[str] = []
        at = 0
        for hit in sorted(self.find(text)):
            if not parts or hit.start > at:  # hits that touch are replaced together
                parts += text[at : hit.start], self._replacement
            at = max(at, hit.end)
        new = self._known[text] = "".join((*parts, text[at:])) if parts else None
        return new

    def unique(self, text: str) -> str | None:
        """Return a name that no other name has instead of one with a match, or None if there is none."""
        if self.replaced(text) is None:
            return None
        return self._unique.setdefault(text, BLOCK * (len(self._unique) + 1))

    def note(self, place: str, count: int = 1) -> None:
        """Count a text that was changed."""
        self.places[place] = self.places.get(place, 0) + count


NOT_TEXT = {
    "/CreationDate",
    "/ModDate",
    "/LastModified",
    "/M",
    "/CheckSum",
    "/CharSet",
    "/Registry",
    "/Ordering",
    "/Panose",
    "/DA",
    "/FontFamily",
    "/Lookup",
    "/Cert",
    "/ByteRange",
    "/OutputConditionIdentifier",
    "/RegistryName",
    "/SMask",
    "/Length",
}
"""Keys whose strings are not written by people: identifiers, dates, data of fonts and colors."""

DATES = {"/CreationDate", "/ModDate", "/LastModified", "/M"}
_DATE = re.compile(rb"(?:D:)?\d{4}[\dZ+\-']*")

PLACES = {
    "/Title": "bookmarks",
    "/Alt": "tags",
    "/ActualText": "tags",
    "/E": "tags",
    "/T": "tags",
    "/Name": "layer names",
    "/P": "page labels",
}
"""Where a text is, by its key."""


def scrub(source: Source, replacer: Replacer, exempt: Collection[PageKey]) -> None:
    """Replace what is found in all strings but those of exempt objects, which are of pages that are not redacted."""
    _Scrubbing(source, replacer).run(exempt)


class _Scrubbing:
    def __init__(self, source: Source, replacer: Replacer) -> None:
        self._source, self._replacer = source, replacer
        info = source.pdf.trailer.get(Name.Info)
        self._info = info.objgen if isinstance(info, Dictionary) else None
        self._renamed: dict[bytes, str] = {}

    def run(self, exempt: Collection[PageKey]) -> None:
        self._rename_destinations()
        objects: list[object] = [*self._source.pdf.objects, self._source.pdf.trailer.get(Name.Info)]
        kept = [item for item in objects if isinstance(item, Object) and item.objgen not in exempt]
        for key, holder in list(containers(kept)):
            if isinstance(holder, Array):
                self._scrub_array(holder, key)
            elif not is_machine_data(key, holder):
                self._scrub_dictionary(holder)

    def _scrub_array(self, array: Array, key: str) -> None:
        if is_machine_data(key, array) or (len(array) == 4 and array[0] in (Name.Indexed, Name.I)):
            return  # the colors of a palette
        for index, value in enumerate(array):
            if isinstance(value, String) and (text := self._new_text(array, key, value)) is not None:
                array[index] = String(text)

    def _scrub_dictionary(self, holder: Object) -> None:
        self._remove_actions(holder)
        self._remove_rich_text(holder)
        for key in list(holder.keys()):
            if not is_machine_data(key, holder[key]):
                self._scrub_value(holder, key)
        if _is_states(holder):
            self._rename_keys(holder, "form fields")

    def _scrub_value(self, holder: Object, key: str) -> None:
        value = holder[key]
        if isinstance(value, String):
            if (text := self._new_text(holder, key, value)) is not None:
                holder[key] = String(text)
        elif isinstance(value, Name) and key in ("/AS", "/V", "/DV"):  # the state of a button, which the form sends
            if (new := self._replacer.unique(name_of(value)[1:])) is not None:
                holder[key] = Name("/" + new)
        elif isinstance(value, Stream) and key in ("/V", "/DV"):
            found = [new for new in map(self._replacer.replaced, texts_in(value)) if new is not None]
            if found:
                holder[key] = String(found[0])
                self._replacer.note("form fields")

    def _new_text(self, holder: Object, key: str, value: String) -> str | None:
        if key in ("/D", "/Dest") and bytes(value) in self._renamed:
            return self._renamed[bytes(value)]
        is_field_name = key == "/T" and (Name.FT in holder or Name.Kids in holder or Name.Parent in holder)
        replaced = self._replacer.unique if is_field_name else self._replacer.replaced
        found = [new for new in map(replaced, texts_in(value)) if new is not None]
        if not found:
            return None
        self._replacer.note(self._place(holder, key))
        return found[0]

    def _place(self, holder: Object, key: str) -> str:
        if isinstance(holder, Array):
            return "form fields" if key == "/Opt" else "other texts"
        if holder.is_indirect and holder.objgen == self._info:
            return "document information"
        if key in ("/V", "/DV", "/TU", "/TM") or Name.FT in holder:
            return "form fields"
        is_annotation = Name.Subtype in holder and not isinstance(holder, Stream)
        return "annotations" if is_annotation else PLACES.get(key, "other texts")

    def _remove_actions(self, holder: Object) -> None:
        """Remove scripts and addresses with a match: a changed one would do something else."""
        address = holder.get(Name.URI)
        if isinstance(address, String):
            written = bytes(address).decode("utf-8", "replace")
            decoded = unquote_to_bytes(bytes(address).replace(b"+", b" ")).decode("utf-8", "replace")
            plain = decoded.replace("-", " ").replace("_", " ")
            if self._replacer.finds((*texts_in(address), *dict.fromkeys((written, decoded, plain)))):
                holder.URI = String("")
                self._replacer.note("link addresses")
        if self._replacer.finds(texts_in(holder.get(Name.JS))):
            holder.JS = String("")
            self._replacer.note("scripts")

    def _remove_rich_text(self, holder: Object) -> None:
        for key in (Name.RC, Name.RV):  # texts with markup; a plain text stands beside them
            texts = list(texts_in(holder.get(key)))
            plain = [each for name in (Name.Contents, Name.V) for each in texts_in(holder.get(name))]
            if texts and self._replacer.finds((*texts, *plain)):
                del holder[key]

    def _rename_keys(self, holder: Object, place: str) -> dict[bytes, str]:
        """Rename the keys with a match, and return the new names by the old ones."""
        renamed: dict[bytes, str] = {}
        for key in list(holder.keys()):
            if (new := self._replacer.unique(key_text(key)[1:])) is not None:
                holder["/" + new] = holder[key]
                del holder[key]
                renamed[key[1:].encode(*RAW)] = new
                self._replacer.note(place)
        return renamed

    def _rename_destinations(self) -> None:
        """Rename named destinations, in both of the places where they can be."""
        for category in list(self._source.name_trees):
            entries = read_names(self._source.names(category))
            renamed = [(self._new_name(name), value) for name, value in entries]
            if renamed != entries and any(old[0] != new[0] for old, new in zip(entries, renamed, strict=True)):
                self._source.root.Names[category] = write_names(self._source.pdf, renamed)
        older = self._source.root.get(Name.Dests)
        if isinstance(older, Dictionary):
            self._renamed |= self._rename_keys(older, "named destinations")

    def _new_name(self, name: bytes) -> bytes:
        new = self._replacer.unique(str(String(name)))
        if new is None:
            return name
        self._renamed[name] = new
        self._replacer.note("named destinations")
        return bytes(String(new))


def _is_states(holder: Object) -> bool:
    """Return whether a dictionary holds the appearances of the states of a button."""
    values = list(holder.values()) if isinstance(holder, Dictionary) and not isinstance(holder, Stream) else []
    return (
        bool(values)
        and all(isinstance(value, Stream) and value.get(Name.Subtype) == Name.Form for value in values)
        and not set(holder.keys()) <= {"/N", "/R", "/D"}
    )


def is_machine_data(key: str, value: object) -> bool:
    """Return whether the value of a key is not written by people: an identifier, a date, data of fonts and colors."""
    is_date = key not in DATES or (isinstance(value, String) and _DATE.fullmatch(bytes(value)) is not None)
    return key in NOT_TEXT and is_date


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
    return {*names, *(key_text(key)[1:] for key, _ in dictionary(procedures).items())}


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
        if (name := new.get(key_text(key))) is not None:
            item[name] = item[key]
            del item[key]


def _with_renamed_font(appearance: String, new: Mapping[str, str]) -> String:
    """Return the default appearance of a field, which names its font."""
    tokens = text_of(appearance).split()
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
    write_content(pdf, holder, pikepdf.unparse_content_stream(instructions))


def _renamed(operand: Any, new: Mapping[str, str]) -> Any:
    """Return an operand with its names and those inside it renamed."""
    if isinstance(operand, Array | Dictionary):
        _rename_in(operand, new)
        for value in list(operand) if isinstance(operand, Array) else list(operand.values()):
            _renamed(value, new)
    return Name(new[name_of(operand)]) if name_of(operand) in new else operand
