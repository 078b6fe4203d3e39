"""Removes what is found from every string of a document: information, bookmarks, fields, annotations, tags."""

import re
from collections.abc import Collection

from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.objects import read_names, write_names
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.tools.pdf.pdf_redact.replacing import Replacer, decoded_address
from mediakit.tools.pdf.pdf_redact.stream_text import containers, texts_in

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

RICH_TEXTS = (Name.RC, Name.RV)
"""Texts with markup; a plain text stands beside them."""


def scrub(source: Source, replacer: Replacer, exempt: Collection[PageKey]) -> None:
    """Replace what is found in all strings.

    Args:
        source: The document.
        replacer: Replaces texts.
        exempt: Objects of pages that are not redacted.
    """
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
            self._rename_keys(holder)

    def _scrub_value(self, holder: Object, key: str) -> None:
        value = holder[key]
        if isinstance(value, String):
            if (text := self._new_text(holder, key, value)) is not None:
                holder[key] = String(text)
        elif isinstance(value, Name):
            self._rename_state(holder, key, value)
        elif isinstance(value, Stream) and key in ("/V", "/DV"):
            self._scrub_text_stream(holder, key, value)

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
        if isinstance(address, String) and self._replacer.finds((*texts_in(address), *decoded_address(bytes(address)))):
            holder.URI = String("")
            self._replacer.note("link addresses")
        if self._replacer.finds(texts_in(holder.get(Name.JS))):
            holder.JS = String("")
            self._replacer.note("scripts")

    def _remove_rich_text(self, holder: Object) -> None:
        for key in RICH_TEXTS:
            texts = list(texts_in(holder.get(key)))
            plain = [each for name in (Name.Contents, Name.V) for each in texts_in(holder.get(name))]
            if texts and self._replacer.finds((*texts, *map(without_markup, texts), *plain)):
                del holder[key]

    def _scrub_text_stream(self, holder: Object, key: str, value: Stream) -> None:
        if found := [new for new in map(self._replacer.replaced, texts_in(value)) if new is not None]:
            holder[key] = String(found[0])
            self._replacer.note("form fields")

    def _rename_state(self, holder: Object, key: str, value: Name) -> None:
        """Rename the state of a check box or a radio button: it is what the form sends."""
        if key in ("/AS", "/V", "/DV") and (new := self._replacer.unique(str(value)[1:])) is not None:
            holder[key] = Name("/" + new)

    def _rename_keys(self, holder: Object) -> None:
        for key in list(holder.keys()):
            if (new := self._replacer.unique(key[1:])) is not None:
                holder["/" + new] = holder[key]
                del holder[key]
                self._replacer.note("form fields")

    def _rename_destinations(self) -> None:
        """Rename named destinations, in both of the places where they can be."""
        for category in list(self._source.name_trees):
            entries = read_names(self._source.names(category))
            renamed = [(self._new_name(name), value) for name, value in entries]
            if renamed != entries and any(old[0] != new[0] for old, new in zip(entries, renamed, strict=True)):
                self._source.root.Names[category] = write_names(self._source.pdf, renamed)
        older = self._source.root.get(Name.Dests)
        if isinstance(older, Dictionary):
            for key in list(older.keys()):
                if (new := self._replacer.unique(key[1:])) is not None:
                    older["/" + new] = older[key]
                    del older[key]
                    self._renamed[key[1:].encode()] = new
                    self._replacer.note("named destinations")

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


def without_markup(text: str) -> str:
    """Return the text of XML or HTML."""
    return "".join(part.partition(">")[2] if ">" in part else part for part in text.split("<"))
