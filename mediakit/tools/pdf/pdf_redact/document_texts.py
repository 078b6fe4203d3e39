"""Removes what is found from every string of a document: information, bookmarks, fields, annotations, tags, names."""

from collections.abc import Collection, Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.objects import dictionaries, dictionary
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.engines.pdf.trees import read_names, write_names
from mediakit.tools.pdf.pdf_redact.links import decoded_address
from mediakit.tools.pdf.pdf_redact.private_streams import private_streams
from mediakit.tools.pdf.pdf_redact.texts import Replacer

NOT_TEXT = {
    "/ID",
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
        for stream, text in private_streams(self._source.pdf):
            if self._replacer.find(text):
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
            if key not in NOT_TEXT:
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
        text = str(value)
        is_field_name = key == "/T" and (Name.FT in holder or Name.Kids in holder or Name.Parent in holder)
        new = self._replacer.unique(text) if is_field_name else self._replacer.replaced(text)
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
        if Name.URI in holder and isinstance(holder.URI, String):
            address = bytes(holder.URI)
            if any(self._replacer.find(text) for text in decoded_address(address)):
                holder.URI = String("")
                self._replacer.note("link addresses")
        script = holder.get(Name.JS)
        text = str(script) if isinstance(script, String) else _text(script)
        if text and self._replacer.find(text):
            holder.JS = String("")
            self._replacer.note("scripts")

    def _remove_rich_text(self, holder: Object) -> None:
        for key in RICH_TEXTS:
            rich = holder.get(key)
            text = str(rich) if isinstance(rich, String) else _text(rich)
            plain = [
                str(value) for value in (holder.get(Name.Contents), holder.get(Name.V)) if isinstance(value, String)
            ]
            if text and any(self._replacer.find(each) for each in (text, without_markup(text), *plain)):
                del holder[key]

    def _scrub_text_stream(self, holder: Object, key: str, value: Stream) -> None:
        new = self._replacer.replaced(_text(value))
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


def _text(value: object) -> str:
    """Return the text of a stream."""
    if not isinstance(value, Stream):
        return ""
    try:
        return str(String(value.read_bytes()))
    except pikepdf.PdfError:
        return ""


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
        pairs = [(key, value) for key, value in item.items() if key not in NOT_TEXT]
    else:
        return
    for key, value in pairs:
        if isinstance(value, String):
            yield key, str(value)
        elif isinstance(value, Array | Dictionary) and not value.is_indirect:
            yield from strings(value, depth + 1)


def exempt_objects(source: Source, selected: Collection[int]) -> set[PageKey]:
    """Return the objects of pages that are not selected: the pages, their annotations and the appearances of these."""
    found: dict[bool, set[PageKey]] = {True: set(), False: set()}
    for index, page in enumerate(source.pages):
        mine = found[index in selected]
        mine.add(page.objgen)
        for annotation in dictionaries(page.get(Name.Annots)):
            mine.update(_family(annotation))
    return {key for key in found[False] - found[True] if key != (0, 0)}


def _family(annotation: Object) -> Iterator[PageKey]:
    yield annotation.objgen
    yield from (form.objgen for form in appearances(annotation))
    parent = annotation.get(Name.Parent)
    for _ in range(MAX_DEPTH):
        if not isinstance(parent, Dictionary):
            return
        yield parent.objgen
        parent = parent.get(Name.Parent)


def appearances(annotation: Object) -> Iterator[Stream]:
    """Return the appearance streams of an annotation, in all states."""
    for look in dictionary(annotation.get(Name.AP)).values():
        if isinstance(look, Stream):
            yield look
        elif isinstance(look, Dictionary):
            yield from (state for state in look.values() if isinstance(state, Stream))


def appearances_of(page: Object) -> Iterator[Stream]:
    """Return the appearance streams of all annotations of a page, each once."""
    seen: set[PageKey] = set()
    for annotation in dictionaries(page.get(Name.Annots)):
        for form in appearances(annotation):
            if form.objgen not in seen:
                seen.add(form.objgen)
                yield form
