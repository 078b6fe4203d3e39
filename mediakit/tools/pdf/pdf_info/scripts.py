"""JavaScript: listed, and removed."""

from collections.abc import Iterator, Mapping

import pikepdf
from pikepdf import Dictionary, Name, Stream, String

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.objects import dictionaries, dictionary, items, name_of, read_names, text_of
from mediakit.engines.pdf.source import Source

MAX_SCRIPTS = 1000
MAX_CODE_CHARACTERS = 100_000
"""Characters of one script that are returned."""

MAX_STREAM_BYTES = 1_000_000
"""Stored bytes of a script that are read."""

MAX_CHAIN = 50
"""Actions of one chain of `/Next` that are followed."""

MAX_FIELDS = 10_000

EVENTS: Mapping[str, str] = {
    "/WC": "before closing", "/WS": "before saving", "/DS": "after saving", "/WP": "before printing",
    "/DP": "after printing", "/O": "open", "/C": "close", "/E": "mouse enters", "/X": "mouse leaves",
    "/D": "mouse button pressed", "/U": "mouse button released", "/Fo": "focus", "/Bl": "blur",
    "/K": "keystroke", "/F": "format", "/V": "validate", "/PO": "page opens", "/PC": "page closes",
    "/PV": "page becomes visible", "/PI": "page becomes invisible",
}  # fmt: skip
"""Words for trigger events (ISO 32000-2, 12.6.3)."""

FIELD_EVENTS: Mapping[str, str] = {**EVENTS, "/C": "calculate"}


def read_scripts(source: Source) -> list[dict[str, str]]:
    """Return where each script is, and its code."""
    found: list[dict[str, str]] = []
    for where, action in _actions(source):
        for step in _chain(action):
            code = step.get(Name.JS)
            if code is not None and len(found) < MAX_SCRIPTS:
                found.append({"where": where, "code": _code(code)})
    return found


def _actions(source: Source) -> Iterator[tuple[str, object]]:
    for key, action in read_names(source.names("/JavaScript")):
        yield f"document: {text_of(String(key))}", action
    yield "document: open", source.root.get(Name.OpenAction)
    yield from _events("document", source.root, EVENTS)
    for number, page in enumerate(source.pages, 1):
        yield from _events(f"page {number}", page, EVENTS)
        for annotation in annotations(page):
            if Name.T not in annotation and Name.FT not in annotation:  # else it is a field, which comes below
                kind = name_of(annotation.get(Name.Subtype))[1:].lower()
                place = f"page {number}, {kind}"
                yield f"{place}: activate", annotation.get(Name.A)
                yield from _events(place, annotation, EVENTS)
    yield from _of_fields(source)


def _of_fields(source: Source) -> Iterator[tuple[str, object]]:
    form = dictionary(source.root.get(Name.AcroForm))
    waiting = [(field, "") for field in reversed(dictionaries(form.get(Name.Fields)))]
    for _ in range(MAX_FIELDS):
        if not waiting:
            return
        field, prefix = waiting.pop()
        own = text_of(field.get(Name.T))
        name = ".".join(filter(None, (prefix, own)))
        if own or Name.FT in field:
            yield f"field {name}: activate", field.get(Name.A)
            yield from _events(f"field {name}", field, FIELD_EVENTS)
        waiting += [(kid, name) for kid in reversed(dictionaries(field.get(Name.Kids)))]


def _events(place: str, holder: pikepdf.Object, words: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for event, action in dictionary(holder.get(Name.AA)).items():
        yield f"{place}: {words.get(event, event[1:])}", action


def _chain(action: object) -> Iterator[pikepdf.Object]:
    waiting = [action]
    for _ in range(MAX_CHAIN):
        if not waiting:
            return
        step = waiting.pop(0)
        if isinstance(step, Dictionary):
            yield step
            following = step.get(Name.Next)
            waiting += items(following) or [following]


def _code(code: pikepdf.Object) -> str:
    if isinstance(code, Stream):
        if len(code.read_raw_bytes()) > MAX_STREAM_BYTES:
            return ""
        try:
            text = text_of(String(code.read_bytes()))
        except pikepdf.PdfError:
            return ""
    else:
        text = text_of(code)
    return text[:MAX_CODE_CHARACTERS]
