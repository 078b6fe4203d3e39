"""Finds what a PDF could run or open: scripts, programs, forms that are sent, other files. Nothing is followed."""

from pikepdf import Dictionary, Name

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.objects import dictionaries, name_of
from mediakit.engines.pdf.source import Source

JAVASCRIPT = "JavaScript"

KINDS = {
    "/JavaScript": JAVASCRIPT,
    "/Launch": "actions that start programs",
    "/SubmitForm": "actions that send the form",
    "/ImportData": "actions that import form data",
    "/GoToR": "links to other PDF files",
}
"""Types of actions that are reported, and their words."""

MAX_FIELDS = 10_000
"""Fields that are searched for scripts."""


def warn_of_active_content(source: Source) -> None:
    """Add a warning that names the active content, which stays in the file."""
    found = active_content(source)
    if found:
        listed = found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"
        source.warn(f"The file contains {listed}. All of it was kept, and nothing was run.")


def active_content(source: Source) -> list[str]:
    """Return the kinds of active content in words, in a fixed order."""
    found: set[str] = {"/JavaScript"} if source.names("/JavaScript") is not None else set()
    _add(source.root.get(Name.OpenAction), found)
    _add_all(source.root.get(Name.AA), found)
    for page in source.pages:
        _add_all(page.get(Name.AA), found)
        for annotation in annotations(page):
            _add(annotation.get(Name.A), found)
            _add_all(annotation.get(Name.AA), found)
    _search_fields(source, found)
    return [words for kind, words in KINDS.items() if kind in found]


def _search_fields(source: Source, found: set[str]) -> None:
    form = source.root.get(Name.AcroForm)
    waiting = dictionaries(form.get(Name.Fields)) if isinstance(form, Dictionary) else []
    for _ in range(MAX_FIELDS):
        if not waiting:
            return
        field = waiting.pop()
        _add_all(field.get(Name.AA), found)
        waiting += dictionaries(field.get(Name.Kids))


def _add_all(actions: object, found: set[str]) -> None:
    if isinstance(actions, Dictionary):
        for action in actions.values():
            _add(action, found)


def _add(action: object, found: set[str]) -> None:
    if isinstance(action, Dictionary):
        kind = name_of(action.get(Name.S))
        if kind in KINDS:
            found.add(kind)
