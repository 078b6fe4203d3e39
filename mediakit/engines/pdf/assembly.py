"""Assembles a PDF from pages of others, and keeps what belongs to the pages.

Here are also article threads, resources that pages share, attachments, and the rest of the catalog. Some programs
write one dictionary with the images and fonts of all pages, to which every page refers: a part keeps what it uses.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import PurePosixPath

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.destinations import (
    Feature,
    NamedDestinations,
    Part,
    add_names,
    annotations,
    free_name,
    page_of,
    remove_dead_links,
)
from mediakit.engines.pdf.forms.joining import FormFields, Layers
from mediakit.engines.pdf.objects import (
    Visited,
    ancestry,
    delete,
    dictionaries,
    dictionary,
    flat_names,
    items,
    paired,
    read_names,
    text_of,
)
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.outlines import Bookmarks, Outlines, PageLabels
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.tags import StructureTree

MAX_BEADS = 10_000
"""Beads of a thread that are read."""


def _prune(part: Part, thread: pikepdf.Object) -> bool:
    """Leave only beads of kept pages in a thread, and return whether there are any."""
    beads: list[pikepdf.Object] = []
    bead, visited = thread.get(Name.F), Visited()
    while isinstance(bead, Dictionary) and visited.add(bead) and len(beads) < MAX_BEADS:
        beads.append(bead)
        bead = bead.get(Name.N)
    kept = [bead for bead in beads if isinstance(page := bead.get(Name.P), Dictionary) and page.objgen in part.kept]
    if kept and len(kept) < len(beads):
        part.changes.set(thread, Name.F, kept[0])
        for before, following in pairwise([*kept, kept[0]]):  # a thread is a ring
            part.changes.set(before, Name.N, following)
            part.changes.set(following, Name.V, before)
    return bool(kept)


def _sharing_pages(source: Source) -> frozenset[int]:
    """Return the indices of the pages that share a dictionary of resources, an image or a form with another page."""
    keys = [_resource_keys(page) for page in source.pages]
    counted = Counter(key for found in keys for key in found)
    return frozenset(index for index, found in enumerate(keys) if any(counted[key] > 1 for key in found))


def _resource_keys(page: pikepdf.Object) -> set[PageKey]:
    """Return what identifies the page's dictionaries of resources, own or inherited, and its images and forms."""
    for holder in ancestry(page):
        resources = holder.get(Name.Resources)
        if isinstance(resources, Dictionary):
            drawn = dictionary(resources.get(Name.XObject)).values()
            found = [resources, *(resources.get(key) for key in (Name.XObject, Name.Font)), *drawn]
            keys = {item.objgen for item in found if isinstance(item, Dictionary | Stream) and item.is_indirect}
            return keys if holder is page else keys | {holder.objgen}
    return set()


class Attachments(Feature):
    """Attachments of all parts; one whose name is taken by another file becomes `data (2).csv`."""

    key = "/Attachments"

    def __init__(self) -> None:
        self._entries: dict[bytes, pikepdf.Object] = {}
        self._named: dict[str, pikepdf.Object] = {}
        self._associated: list[pikepdf.Object] = []

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Return the attachments and the associated files."""
        root = part.source.root
        if Name.Collection in root:
            part.source.warn("The portfolio became a plain PDF: its cover pages and its attachments are kept.")
        entries = read_names(part.source.names("/EmbeddedFiles"))
        files = items(root.get(Name.AF))
        if not entries and not files:
            return None
        return Array([flat_names(entries), Array(files)])

    def attach(self, part: Part, copied: pikepdf.Object) -> None:  # noqa: ARG002
        """Take the attachments, without those that are there already."""
        dropped: dict[tuple[int, int], pikepdf.Object] = {}
        others = dict(self._named)
        for key, file in paired(copied[0]):
            if isinstance(file, Dictionary) and (same := self._add(bytes(key), file, others)) is not None:
                dropped[file.objgen] = same
        self._associated += [dropped.get(file.objgen, file) if file.is_indirect else file for file in copied[1]]

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the attachments."""
        if self._entries:
            add_names(pdf, "/EmbeddedFiles", list(self._entries.items()))
        if self._associated:
            pdf.Root.AF = Array(self._associated)

    def _add(self, key: bytes, file: pikepdf.Object, others: Mapping[str, pikepdf.Object]) -> pikepdf.Object | None:
        """Add an attachment, or return the one of another part that is the same."""
        name = file_name(file) or text_of(String(key))
        number, free, path = 1, name, PurePosixPath(name)
        while (known := others.get(free)) is not None:
            if _same_content(known, file):
                return known
            number += 1
            free = f"{name.removesuffix(path.suffix)} ({number}){path.suffix}"
        if number > 1 and isinstance(file, Dictionary):
            file.F = file.UF = String(free)
        self._named[free] = file
        if key in self._entries:
            named = bytes(String(free))
            key = named if named not in self._entries else free_name(key, self._entries)
        self._entries[key] = file
        return None


def file_name(file: pikepdf.Object) -> str:
    """Return the name in a file specification; empty if it has none."""
    return next(filter(None, (text_of(dictionary(file).get(key)) for key in (Name.UF, Name.F))), "")


def _same_content(one: pikepdf.Object, other: pikepdf.Object) -> bool:
    """Compare by checksum or by stored bytes; nothing is inflated."""
    first, second = embedded_file(one), embedded_file(other)
    if first is None or second is None:
        return first is second
    sums = _checksum(first), _checksum(second)
    if sums[0] and sums[0] == sums[1]:
        return True
    return bool(first.read_raw_bytes() == second.read_raw_bytes())


def embedded_file(file: pikepdf.Object) -> pikepdf.Object | None:
    """Return the content of a file specification; None if it has none."""
    files = dictionary(dictionary(file).get(Name.EF))
    return next((stream for key in (Name.UF, Name.F) if isinstance(stream := files.get(key), Stream)), None)


def _checksum(stream: pikepdf.Object) -> bytes:
    checksum = dictionary(stream.get(Name.Params)).get(Name.CheckSum)
    return bytes(checksum) if isinstance(checksum, String) else b""


OF_THE_FIRST = frozenset((
    "/Metadata", "/Lang", "/ViewerPreferences", "/PageMode", "/PageLayout", "/OpenAction", "/AA", "/URI", "/PieceInfo",
    "/SpiderInfo", "/Legal",
))  # fmt: skip
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
        threads = dictionaries(root.get(Name.Threads))
        if threads := [thread for thread in threads if part.whole or _prune(part, thread)]:
            carried.Threads = Array(threads)
        for category in NAME_TREES if part.source.name_trees else ():
            if entries := read_names(part.source.names(category)):
                carried[category] = flat_names(entries)
        if part.leads:
            _carry_first(part, carried)
        elif Name.AA in root or _is_script(root.get(Name.OpenAction)):
            part.source.warn("Actions that run when the document opens or closes were removed.")
        return carried if len(carried.keys()) else None

    def attach(self, part: Part, copied: pikepdf.Object) -> None:
        """Take what the catalog had."""
        if part.leads:
            self._first = copied
        for intent in dictionaries(copied.get(Name.OutputIntents)):
            keys = (Name.S, Name.OutputConditionIdentifier, Name.DestOutputProfile)
            if not any(all(intent.get(key) == other.get(key) for key in keys) for other in self._intents):
                self._intents.append(intent)
        self._threads += dictionaries(copied.get(Name.Threads))
        for key, value in dictionary(copied.get("/Extensions")).items():
            self._extensions.setdefault(key, value)
        for category in NAME_TREES:
            if category in copied:
                known = self._names.setdefault(category, {})
                for name, value in paired(copied[category]):
                    named = bytes(name)
                    known[free_name(named, known) if named in known else named] = value

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the entries."""
        for key in self._first.keys() & OF_THE_FIRST:
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


def _carry_first(part: Part, carried: pikepdf.Object) -> None:
    root, trailer = part.source.root, part.source.pdf.trailer
    for key in root.keys() & OF_THE_FIRST:
        carried[key] = root[key]
    opening = root.get(Name.OpenAction)
    if opening is not None and not _is_script(opening):
        page = page_of(part.source, opening.get(Name.D) if isinstance(opening, Dictionary) else opening)
        if page is None or page.objgen not in part.kept:  # the document opens at a page that is omitted
            del carried.OpenAction
    if carried.get("/PageMode") == Name.UseAttachments and Name.Collection in root:
        del carried["/PageMode"]
    if isinstance(info := trailer.get(Name.Info), Dictionary):
        carried.Info = info


def _is_script(action: object) -> bool:
    return isinstance(action, Dictionary) and action.get(Name.S) != Name.GoTo


class Assembly:
    """A PDF that grows by parts."""

    def __init__(
        self, bookmarks: Bookmarks = "keep", into: pikepdf.Pdf | None = None, *, attachments: bool = True
    ) -> None:
        """Begin a PDF, or go on with one without pages; `bookmarks` is what becomes of those of the parts."""
        self.pdf = pikepdf.new() if into is None else into
        self.outlines = Outlines(bookmarks)
        self.fields = FormFields(self.pdf)
        self._features: tuple[Feature, ...] = (
            Catalog(),
            NamedDestinations(),
            self.outlines,
            PageLabels(),
            self.fields,
            *([Attachments()] if attachments else []),
            Layers(),
            StructureTree(),
        )
        self._sources: list[Source] = []
        self._version = "1.5"
        self.count = 0
        """Pages so far."""

    def add(self, source: Source, indices: Sequence[int], title: str = "", *, leads: bool = False) -> Part:
        """Add pages of a PDF, from 0, which may be repeated, with everything that belongs to them.

        The source is changed and must not be used again. The changes of the first part can be undone
        (`part.changes`), for more assemblies of its pages. The title is that of the part's bookmark. The result takes
        title, language and viewer preferences from the part that leads.
        """
        part = Part(source, list(indices), self.count, title, leads)
        if not part.whole:
            remove_dead_links(part)
        carried = {feature.key: found for feature in self._features if (found := feature.prepare(part)) is not None}
        repeated = self._copy_pages(part)
        if carried:
            copied = self.pdf.copy_foreign(source.pdf.make_indirect(Dictionary(carried)))
            for feature in self._features:
                if feature.key in carried:
                    feature.attach(part, copied[feature.key])
        for copy, original in repeated:
            self._separate(part, copy, original)
        self._version = max(self._version, source.pdf.pdf_version)
        self._sources.append(source)  # streams are read when the result is saved
        return part

    def add_blank(self) -> None:
        """Add an empty page of the size of the last one."""
        before = self.pdf.pages[-1].obj
        page = Dictionary(Type=Name.Page, MediaBox=before.MediaBox, Resources=Dictionary())
        for key in (Name.CropBox, Name.Rotate, Name.UserUnit):
            if key in before:
                page[key] = before[key]
        self.add_page(page)

    def add_page(self, page: pikepdf.Object) -> None:
        """Add a page that was made for the result."""
        self.pdf.pages.append(pikepdf.Page(self.pdf.make_indirect(page)))
        self.count += 1

    def finish(self) -> None:
        """Write the document catalog."""
        for feature in self._features:
            feature.finish(self.pdf)

    def save(self) -> bytes:
        """Return the finished PDF."""
        return save(self.pdf, min_version=self._version)

    def _copy_pages(self, part: Part) -> list[tuple[int, int]]:
        """Copy the pages, without resources that they share and do not use; return index and original of repeats."""
        pages, sources = self.pdf.pages, part.source.pdf.pages
        made: dict[int, int] = {}
        repeated = []
        for at, index in enumerate(part.indices, part.first):
            if index in made:
                repeated.append((at, made[index]))
                pages.append(pages[made[index]])
            else:
                made[index] = at
                pages.append(sources[index])
        self.count += len(part.indices)
        sharing = frozenset() if part.whole else part.source.read_once(_sharing_pages)
        for at, index in enumerate(part.indices, part.first):
            if index in sharing:
                with suppress(pikepdf.PdfError):  # the content is damaged: everything is kept
                    pages[at].remove_unreferenced_resources()
        return repeated

    def _separate(self, part: Part, copy: int, original: int) -> None:
        """Make a repeated page independent of the first: its own annotations, and no tags."""
        page, first = self.pdf.pages[copy].obj, self.pdf.pages[original].obj
        if Name.StructParents in page:
            del page.StructParents
            part.source.warn("Pages that are repeated have tags at their first place only.")
        if annotations(first):
            copies = {item.objgen: self.pdf.make_indirect(item.copy()) for item in annotations(first)}
            for item in copies.values():
                item.P = page
                delete(item, "/StructParent")
                for key in (Name.Popup, Name.IRT, Name.Parent):
                    related = item.get(key)
                    if isinstance(related, Dictionary) and related.objgen in copies:
                        item[key] = copies[related.objgen]
            page.Annots = Array(list(copies.values()))
            self.fields.repeat(page)
