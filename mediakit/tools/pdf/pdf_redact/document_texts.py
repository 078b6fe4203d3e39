"""Removes what is found from every string of a document: information, bookmarks, fields, annotations, tags."""

import re
from collections.abc import Collection, Iterator

from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.objects import appearances, dictionaries, read_names, write_names
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.tools.pdf.pdf_redact.hidden_data import (
    comments,
    image_texts,
    metadata_streams,
    metadata_texts,
    private_streams,
)
from mediakit.tools.pdf.pdf_redact.replacing import Replacer, decoded_address
from mediakit.tools.pdf.pdf_redact.scope import exempt_objects
from mediakit.tools.pdf.pdf_redact.stream_text import ShownText, texts_in

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

MAX_DEPTH = 60
"""Direct objects inside each other that are followed."""


def scrub(source: Source, replacer: Replacer, exempt: Collection[PageKey]) -> None:
    """Replace what is found in all strings.

    Args:
        source: The document.
        replacer: Replaces texts.
        exempt: Objects of pages that are not redacted.
    """
    _Scrubbing(source, replacer, exempt).run()


class _Scrubbing:
    def __init__(self, source: Source, replacer: Replacer, exempt: Collection[PageKey]) -> None:
        self._source, self._replacer, self._exempt = source, replacer, exempt
        info = source.pdf.trailer.get(Name.Info)
        self._info = info.objgen if isinstance(info, Dictionary) else None
        self._renamed: dict[bytes, str] = {}

    def run(self) -> None:
        """Replace texts everywhere."""
        self._rename_destinations()
        found: list[object] = list(self._source.pdf.objects)  # numbers are not of the class Object
        for item in found:
            if isinstance(item, Object) and item.objgen not in self._exempt:
                self._scrub(item, "", 0)
        self._scrub(self._source.pdf.trailer.get(Name.Info), "", 0)
        for stream in private_streams(self._source.pdf):
            if self._is_found(stream):
                stream.write(b"")
                self._replacer.note("other texts")

    def _scrub(self, item: object, key: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            return
        if isinstance(item, Array):
            self._scrub_array(item, key, depth)
        elif isinstance(item, Dictionary | Stream):
            self._scrub_dictionary(item, depth)

    def _scrub_array(self, array: Array, key: str, depth: int) -> None:
        if len(array) and array[0] in (Name.Indexed, Name.I) and len(array) == 4:
            return  # the colors of a palette
        for index, value in enumerate(array):
            if isinstance(value, String):
                if (text := self._new_text(array, key, value)) is not None:
                    array[index] = String(text)
            elif isinstance(value, Array | Dictionary) and not value.is_indirect:
                self._scrub(value, key, depth + 1)

    def _scrub_dictionary(self, holder: Object, depth: int) -> None:
        self._remove_actions(holder)
        self._remove_rich_text(holder)
        for key in list(holder.keys()):
            if not is_machine_data(key, holder[key]):
                self._scrub_value(holder, key, depth)
        if _is_states(holder):
            self._rename_keys(holder)

    def _scrub_value(self, holder: Object, key: str, depth: int) -> None:
        value = holder[key]
        if isinstance(value, String):
            if (text := self._new_text(holder, key, value)) is not None:
                holder[key] = String(text)
        elif isinstance(value, Name):
            self._rename_state(holder, key, value)
        elif isinstance(value, Array | Dictionary) and not value.is_indirect:
            self._scrub(value, key, depth + 1)
        elif isinstance(value, Stream) and key in ("/V", "/DV"):
            self._scrub_text_stream(holder, key, value)

    def _new_text(self, holder: Object, key: str, value: String) -> str | None:
        if key in ("/D", "/Dest") and bytes(value) in self._renamed:
            return self._renamed[bytes(value)]
        is_field_name = key == "/T" and (Name.FT in holder or Name.Kids in holder or Name.Parent in holder)
        replaced = self._replacer.unique if is_field_name else self._replacer.replaced
        new = next(filter(None, map(replaced, texts_in(value))), None)
        if new is not None:
            self._replacer.note(self._place(holder, key))
        return new

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
        if isinstance(address := holder.get(Name.URI), String) and (
            self._is_found(address) or any(map(self._replacer.find, decoded_address(bytes(address))))
        ):
            holder.URI = String("")
            self._replacer.note("link addresses")
        if self._is_found(holder.get(Name.JS)):
            holder.JS = String("")
            self._replacer.note("scripts")

    def _is_found(self, value: object) -> bool:
        return any(map(self._replacer.find, texts_in(value)))

    def _remove_rich_text(self, holder: Object) -> None:
        for key in RICH_TEXTS:
            texts = list(texts_in(holder.get(key)))
            plain = [each for name in (Name.Contents, Name.V) for each in texts_in(holder.get(name))]
            if any(map(self._replacer.find, (*texts, *map(without_markup, texts), *plain))) and texts:
                del holder[key]

    def _scrub_text_stream(self, holder: Object, key: str, value: Stream) -> None:
        new = next(filter(None, map(self._replacer.replaced, texts_in(value))), None)
        if new is not None:
            holder[key] = String(new)
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


def strings(item: object, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Return the keys and texts of all strings in an object, without those of other indirect objects."""
    if depth > MAX_DEPTH:
        return
    if isinstance(item, Array):
        if len(item) == 4 and item[0] in (Name.Indexed, Name.I):
            return
        pairs = [("", value) for value in item]
    elif isinstance(item, Dictionary | Stream):
        pairs = [(key, value) for key, value in item.items() if not is_machine_data(key, value)]
    else:
        return
    for key, value in pairs:
        if isinstance(value, String):
            yield from ((key, text) for text in texts_in(value))
        elif isinstance(value, Array | Dictionary) and not value.is_indirect:
            yield from strings(value, depth + 1)


def document_texts(source: Source, selected: Collection[int]) -> Iterator[str]:
    """Return all texts of a document outside the content of its pages.

    Args:
        source: The document.
        selected: Indexes of the pages whose annotations and tags count.
    """
    exempt = exempt_objects(source, selected)
    for item in (*source.pdf.objects, source.pdf.trailer.get(Name.Info)):
        if isinstance(item, Object) and item.objgen not in exempt:
            for key, text in strings(item):
                yield text
                yield from decoded_address(text.encode()) if key == "/URI" else ()
    for stream in metadata_streams(source.pdf):
        yield from metadata_texts(stream)
    for stream in private_streams(source.pdf):
        yield from texts_in(stream)
    yield from (text for _, text in comments(source.pdf))
    yield from image_texts(source.pdf)
    annotations = [each for index in selected for each in dictionaries(source.pages[index].get(Name.Annots))]
    shown = ShownText()
    yield from (text for each in annotations for form in appearances(each) for text in shown.of_form(form))
