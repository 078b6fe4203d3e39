"""Lists JavaScript, and takes everything of one kind out of a PDF, for files that leave an organization."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.destinations import annotations, steps_of
from mediakit.engines.pdf.document import has_xfa, is_dynamic_xfa
from mediakit.engines.pdf.objects import delete, dictionary, every_dictionary, fields_of, name_of, read_names, text_of
from mediakit.engines.pdf.opening import Source
from mediakit.tools.pdf.pdf_info.attachments import remove_attachments
from mediakit.tools.pdf.pdf_info.layers import remove_layers
from mediakit.tools.pdf.pdf_info.tool import REMOVABLE, Removable

MAX_SCRIPTS = 1000
MAX_CODE_CHARACTERS = 100_000
"""Characters of one script that are returned."""

MAX_STREAM_BYTES = 1_000_000
"""Stored bytes of a script that are read."""

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
        for step in steps_of(action):
            code = step.get(Name.JS)
            if code is None or len(found) >= MAX_SCRIPTS:
                continue
            text = ""
            with suppress(pikepdf.PdfError):
                if not isinstance(code, Stream):
                    text = text_of(code)
                elif len(code.read_raw_bytes()) <= MAX_STREAM_BYTES:
                    text = text_of(String(code.read_bytes()))
            found.append({"where": where, "code": text[:MAX_CODE_CHARACTERS]})
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
    for name, field, _ in fields_of(source.root.get(Name.AcroForm)):
        if Name.T in field or Name.FT in field:
            yield f"field {name}: activate", field.get(Name.A)
            yield from _events(f"field {name}", field, FIELD_EVENTS)


def _events(place: str, holder: pikepdf.Object, words: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for event, action in dictionary(holder.get(Name.AA)).items():
        yield f"{place}: {words.get(event, event[1:])}", action


ACTION_KEYS = ("/A", "/OpenAction", "/PA")
"""Keys that hold an action; `/A` of a tag holds attributes, which have no type of an action."""

ACTIONS = frozenset(
    (
        "/GoToR", "/GoToE", "/GoToDp", "/Launch", "/Thread", "/Sound", "/Movie", "/Hide", "/Named", "/SubmitForm",
        "/ResetForm", "/ImportData", "/JavaScript", "/SetOCGState", "/Rendition", "/Trans", "/GoTo3DView",
        "/RichMediaExecute", "/NOP",
    )
)  # fmt: skip
"""Types of actions (ISO 32000-2, 12.6.4.1) other than links to pages (`/GoTo`) and addresses (`/URI`)."""


def remove_scripts(source: Source) -> None:
    """Remove all JavaScript."""
    _remove_document_scripts(source)
    for holder in every_dictionary(source.pdf):
        if holder.get(Name.S) == Name.Rendition:
            delete(holder, "/JS")
        _filter(holder, is_script)
    form = source.root.get(Name.AcroForm)
    if isinstance(form, Dictionary):
        delete(form, "/CO")
    if is_dynamic_xfa(source):
        source.warn("Scripts inside the dynamic XFA form were kept.")
    elif has_xfa(source):
        del source.root.AcroForm.XFA
        source.warn("The XFA form was removed, because it can contain scripts. The fields are kept.")


def remove_actions(source: Source) -> None:
    """Remove everything that a viewer would run or open, but links to pages and web addresses."""
    _remove_document_scripts(source)
    for holder in every_dictionary(source.pdf):
        if isinstance(holder.get("/AA"), Dictionary):
            del holder["/AA"]
        _filter(holder, lambda action: name_of(action.get(Name.S)) in ACTIONS or is_script(action))


def is_script(action: pikepdf.Object) -> bool:
    """Return whether an action runs JavaScript, also by an address that begins with `javascript:`."""
    address = action.get(Name.URI)
    is_address = text_of(address).strip().lower().startswith("javascript:")
    return action.get(Name.S) == Name.JavaScript or is_address


def _remove_document_scripts(source: Source) -> None:
    names = source.root.get(Name.Names)
    if isinstance(names, Dictionary):
        delete(names, "/JavaScript")
    source.__dict__.pop("name_trees", None)


def _filter(holder: pikepdf.Object, is_dropped: Callable[[pikepdf.Object], bool]) -> None:
    """Remove the actions of a dictionary that are to be dropped."""
    for key in ACTION_KEYS:
        _filter_key(holder, key, is_dropped)
    events = holder.get("/AA")
    if isinstance(events, Dictionary):
        for key in list(events.keys()):
            _filter_key(events, key, is_dropped)
        if not events.keys():
            del holder["/AA"]


def _filter_key(holder: pikepdf.Object, key: str, is_dropped: Callable[[pikepdf.Object], bool]) -> None:
    action = holder.get(key)
    if not isinstance(action, Dictionary) or Name.S not in action:
        return
    steps = list(steps_of(action))
    kept = [step for step in steps if not is_dropped(step)]
    if len(kept) == len(steps):
        return
    for one, following in pairwise(kept):
        one.Next = following
    if kept:
        delete(kept[-1], "/Next")
        holder[key] = kept[0]
    else:
        del holder[key]


KEPT_ANNOTATIONS = frozenset(("/Link", "/Widget"))
"""Annotations that are links and form fields; the others are comments and markup."""


def remove(source: Source, kinds: Sequence[Removable]) -> None:
    """Remove everything of some kinds."""
    for kind in REMOVABLE:
        if kind in kinds:
            _REMOVALS[kind](source)


def _remove_metadata(source: Source) -> None:
    """Remove the Info dictionary, XMP of the document, its pages and images, and the private data of programs."""
    if Name.Info in source.pdf.trailer:
        del source.pdf.trailer.Info
    for holder in every_dictionary(source.pdf):
        delete(holder, "/Metadata", "/PieceInfo", "/LastModified")
    delete(source.root, "/SpiderInfo")


def _remove_from_pages(source: Source, is_removed: Callable[[str], bool]) -> None:
    for page in source.pages:
        kept: list[pikepdf.Object] = []
        gone: list[pikepdf.Object] = []
        for item in annotations(page):
            (gone if is_removed(name_of(item.get(Name.Subtype))) else kept).append(item)
        if not gone:
            continue
        lost = {item.objgen for item in gone if item.is_indirect}
        for item in kept:
            popup = item.get(Name.Popup)
            if isinstance(popup, Dictionary) and popup.objgen in lost:
                del item.Popup
        page.Annots = Array(kept)
        for item in gone:  # tags which still refer to it do not keep its content
            delete(item, *(item.keys() - {"/Type", "/Subtype", "/Rect"}))


def _remove_thumbnails(source: Source) -> None:
    for page in source.pages:
        delete(page, "/Thumb")


_REMOVALS: Mapping[Removable, Callable[[Source], None]] = {
    "metadata": _remove_metadata,
    "javascript": remove_scripts,
    "attachments": remove_attachments,
    "annotations": lambda source: _remove_from_pages(source, lambda kind: kind not in KEPT_ANNOTATIONS),
    "links": lambda source: _remove_from_pages(source, lambda kind: kind == "/Link"),
    "thumbnails": _remove_thumbnails,
    "actions": remove_actions,
    "layers": remove_layers,
}
