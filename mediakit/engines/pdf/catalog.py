"""The rest of the document catalog: title, language, viewer preferences, output intents and what else there is."""

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import add_names, free_name, page_of
from mediakit.engines.pdf.objects import dictionaries, dictionary
from mediakit.engines.pdf.part import Feature, Part
from mediakit.engines.pdf.threads import kept_threads
from mediakit.engines.pdf.trees import read_names

OF_THE_FIRST = (
    "/Metadata", "/Lang", "/ViewerPreferences", "/PageMode", "/PageLayout", "/OpenAction", "/AA", "/URI", "/PieceInfo",
    "/SpiderInfo", "/Legal",
)  # fmt: skip
"""Entries of the catalog that the result takes from its first file."""

NAME_TREES = ("/JavaScript", "/AP", "/Pages", "/Templates", "/IDS", "/URLS", "/AlternatePresentations", "/Renditions")
"""Name trees that are joined, besides destinations and attachments."""


class Catalog(Feature):
    """Document properties of the first file, and lists of all files."""

    key = "/Catalog"

    def __init__(self) -> None:
        self._first: pikepdf.Object = Dictionary()
        self._intents: list[pikepdf.Object] = []
        self._threads: list[pikepdf.Object] = []
        self._extensions: dict[str, pikepdf.Object] = {}
        self._names: dict[str, dict[bytes, pikepdf.Object]] = {}

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Return what the catalog has."""
        root, carried = part.source.root, Dictionary()
        for key in ("/OutputIntents", "/Extensions"):
            if key in root:
                carried[key] = root[key]
        if threads := kept_threads(part):
            carried.Threads = Array(threads)
        for category in NAME_TREES if part.source.name_trees else ():
            if entries := read_names(part.source.names(category)):
                carried[category] = Array([item for name, value in entries for item in (String(name), value)])
        if part.leads:
            _carry_first(part, carried)
        elif Name.AA in root or _is_script(root.get(Name.OpenAction)):
            part.source.warn("Actions that run when the document opens or closes were removed.")
        return carried if len(carried.keys()) else None

    def attach(self, part: Part, copied: pikepdf.Object | None) -> None:
        """Take what the catalog had."""
        if copied is None:
            return
        if part.leads:
            self._first = copied
        for intent in dictionaries(copied.get(Name.OutputIntents)):
            if not any(_same_intent(intent, known) for known in self._intents):
                self._intents.append(intent)
        self._threads += dictionaries(copied.get(Name.Threads))
        for key, value in dictionary(copied.get("/Extensions")).items():
            self._extensions.setdefault(key, value)
        for category in NAME_TREES:
            if category in copied:
                self._add_names(category, copied[category])

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the entries."""
        for key in OF_THE_FIRST:
            if key in self._first:
                pdf.Root[key] = self._first[key]
        if "/Info" in self._first:
            pdf.trailer.Info = pdf.make_indirect(self._first.Info)
        if self._intents:
            pdf.Root.OutputIntents = Array(self._intents)
        if self._threads:
            pdf.Root.Threads = Array(self._threads)
        if self._extensions:
            pdf.Root.Extensions = Dictionary(self._extensions)
        for category, entries in self._names.items():
            add_names(pdf, category, list(entries.items()))

    def _add_names(self, category: str, entries: pikepdf.Object) -> None:
        flat, known = list(entries), self._names.setdefault(category, {})
        for name, value in zip(flat[::2], flat[1::2], strict=True):
            key = bytes(name)
            known[free_name(key, known) if key in known else key] = value


def _carry_first(part: Part, carried: pikepdf.Object) -> None:
    root, trailer = part.source.root, part.source.pdf.trailer
    for key in OF_THE_FIRST:
        if key in root and not (key == "/OpenAction" and _leads_nowhere(part)):
            carried[key] = root[key]
    if carried.get("/PageMode") == Name.UseAttachments and Name.Collection in root:
        del carried["/PageMode"]
    if isinstance(info := trailer.get(Name.Info), Dictionary):
        carried.Info = info


def _leads_nowhere(part: Part) -> bool:
    """Return whether the document opens at a page that is omitted."""
    action = part.source.root.OpenAction
    if isinstance(action, Dictionary) and action.get(Name.S) != Name.GoTo:
        return False
    target = action.get(Name.D) if isinstance(action, Dictionary) else action
    page = page_of(part.source, target)
    return page is None or page.objgen not in part.kept


def _is_script(action: object) -> bool:
    return isinstance(action, Dictionary) and action.get(Name.S) != Name.GoTo


def _same_intent(one: pikepdf.Object, other: pikepdf.Object) -> bool:
    return all(
        one.get(key) == other.get(key) for key in (Name.S, Name.OutputConditionIdentifier, Name.DestOutputProfile)
    )
