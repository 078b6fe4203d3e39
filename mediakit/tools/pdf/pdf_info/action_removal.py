"""Removes scripts, or all actions but links to pages and web addresses."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.document import has_xfa, is_dynamic_xfa
from mediakit.engines.pdf.objects import items, name_of, text_of
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_info.walking import delete, every_dictionary

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

MAX_CHAIN = 100

Dropped = Callable[[pikepdf.Object], bool]


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
    _remove_xfa(source)


def remove_actions(source: Source) -> None:
    """Remove everything that a viewer would run or open, but links to pages and web addresses."""
    _remove_document_scripts(source)
    for holder in every_dictionary(source.pdf):
        if isinstance(holder.get("/AA"), Dictionary):
            del holder["/AA"]
        _filter(holder, is_active)


def is_script(action: pikepdf.Object) -> bool:
    """Return whether an action runs JavaScript, also by an address that begins with `javascript:`."""
    address = action.get(Name.URI)
    is_address = text_of(address).strip().lower().startswith("javascript:")
    return action.get(Name.S) == Name.JavaScript or is_address


def is_active(action: pikepdf.Object) -> bool:
    """Return whether an action is more than a link to a page or a web address."""
    return name_of(action.get(Name.S)) in ACTIONS or is_script(action)


def _remove_document_scripts(source: Source) -> None:
    names = source.root.get(Name.Names)
    if isinstance(names, Dictionary):
        delete(names, "/JavaScript")
    source.__dict__.pop("name_trees", None)


def _remove_xfa(source: Source) -> None:
    if is_dynamic_xfa(source):
        source.warn("Scripts inside the dynamic XFA form were kept.")
    elif has_xfa(source):
        del source.root.AcroForm.XFA
        source.warn("The XFA form was removed, because it can contain scripts. The fields are kept.")


def _filter(holder: pikepdf.Object, is_dropped: Dropped) -> None:
    """Remove the actions of a dictionary that are to be dropped."""
    for key in ACTION_KEYS:
        _filter_key(holder, key, is_dropped)
    events = holder.get("/AA")
    if isinstance(events, Dictionary):
        for key in list(events.keys()):
            _filter_key(events, key, is_dropped)
        if not events.keys():
            del holder["/AA"]


def _filter_key(holder: pikepdf.Object, key: str, is_dropped: Dropped) -> None:
    action = holder.get(key)
    if not isinstance(action, Dictionary) or Name.S not in action:
        return
    steps = list(_steps(action))
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


def _steps(action: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """Yield the actions of a chain, in the order in which they run."""
    waiting: list[object] = [action]
    for _ in range(MAX_CHAIN):
        if not waiting:
            return
        step = waiting.pop(0)
        if isinstance(step, Dictionary):
            yield step
            following = step.get(Name.Next)
            branches: list[object] = [*items(following)] or [following]
            waiting = branches + waiting
