"""Where links, bookmarks and actions lead; the parts of a result, and how changes of a source are undone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.objects import (
    RAW,
    Visited,
    dictionaries,
    dictionary,
    flat_names,
    one_or_more,
    paired,
    read_names,
    write_names,
)
from mediakit.engines.pdf.opening import PageKey, Source


class Changes:
    """What was changed in a PDF, in order."""

    def __init__(self) -> None:
        self._before: list[tuple[pikepdf.Object, str | Name, Any]] = []

    def set(self, holder: pikepdf.Object, key: str | Name, value: object) -> None:
        """Set an entry of a dictionary; None removes it."""
        self._before.append((holder, key, holder.get(key)))
        _set(holder, key, value)

    def remove(self, holder: pikepdf.Object, key: str | Name) -> None:
        """Remove an entry of a dictionary."""
        self.set(holder, key, None)

    def undo(self) -> None:
        """Restore what was there before."""
        while self._before:
            _set(*self._before.pop())


def _set(holder: pikepdf.Object, key: str | Name, value: Any) -> None:
    if value is not None:
        holder[key] = value
    elif key in holder:
        del holder[key]


@dataclass
class Part:
    """Pages of one PDF that go into the result."""

    source: Source
    indices: list[int]
    """Pages of the source, from 0, in the order of the result; a page may be repeated."""
    first: int
    """Index in the result of the first page."""
    title: str = ""
    leads: bool = False
    """Whether the result takes its title, language and preferences from this part."""
    changes: Changes = field(default_factory=Changes, repr=False)
    """What was changed in the source to omit other pages."""
    removed_links: list[pikepdf.Object] = field(default_factory=list)
    """Links that led to pages that are omitted."""

    @cached_property
    def kept(self) -> dict[PageKey, int]:
        """Index in the result of each source page that is kept, the first if it is repeated."""
        pages = self.source.pages
        return {pages[index].objgen: self.first + at for at, index in reversed(list(enumerate(self.indices)))}

    @cached_property
    def whole(self) -> bool:
        """Whether every page of the source is kept."""
        return len(set(self.indices)) == len(self.source.pages)

    @cached_property
    def mask(self) -> int:
        """The source's pages that are kept, a bit for each."""
        return sum(1 << index for index in set(self.indices))

    @property
    def pages(self) -> list[pikepdf.Object]:
        """The source's pages that are kept, each once."""
        return [self.source.pages[index] for index in dict.fromkeys(self.indices)]


EVERYWHERE = -1
"""The pages of what every part keeps: a bookmark that leads out of the PDF or nowhere, a field without a widget."""


class Feature:
    """Something of the document catalog that an assembly keeps, such as bookmarks or attachments."""

    key = ""
    """Name under which an object travels from the source to the result."""

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Change the source so that it can be joined, and return what must be copied."""
        raise NotImplementedError

    def attach(self, part: Part, copied: pikepdf.Object) -> None:
        """Take what was copied; not called if `prepare` returned None."""
        raise NotImplementedError

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write everything that was taken into the result."""
        raise NotImplementedError


MAX_ACTIONS = 100
"""Actions of one chain of `/Next` that are followed."""

MAX_ITEMS = 100_000
"""Bookmarks that are read."""

_Entry = tuple[bytes, pikepdf.Object]

Holder = tuple[pikepdf.Object, Name]
"""A dictionary and its key that holds a destination."""


class NamedDestinations(Feature):
    """Named destinations of all parts; those whose name is taken get a new one, and links follow."""

    key = "/NamedDestinations"

    def __init__(self) -> None:
        self._strings: dict[bytes, pikepdf.Object] = {}
        self._names: dict[bytes, pikepdf.Object] = {}

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Rename destinations whose names are taken, and return all that lead to pages of the part."""
        if part.whole:
            strings, names = _read(part.source)
        else:
            strings, names = (
                [entry for page in part.kept for entry in by_page.get(page, ())]
                for by_page in part.source.read_once(_by_page)
            )
        if not strings and not names:
            return None
        own = {name for name, _ in (*strings, *names)}
        taken = self._strings.keys() | self._names.keys()
        renamed: dict[bytes, bytes] = {}
        for name in (name for name, _ in (*strings, *names) if name in taken):
            renamed[name] = free_name(name, taken | own | set(renamed.values()))
        for holder, key in holders(part.source, part.pages) if renamed else ():
            target = holder[key]
            if isinstance(target, String | Name) and (name := renamed.get(name_bytes(target), b"")):
                holder[key] = Name(f"/{name.decode('latin-1')}") if isinstance(target, Name) else String(name)
        return Array(
            [flat_names((renamed.get(name, name), value) for name, value in group) for group in (strings, names)]
        )

    def attach(self, part: Part, copied: pikepdf.Object) -> None:  # noqa: ARG002  # every feature's signature
        """Take the destinations."""
        for target, entries in zip((self._strings, self._names), copied, strict=True):
            for name, value in paired(entries):
                target.setdefault(bytes(name), value)

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the name tree, and the dictionary that PDF 1.1 has."""
        if self._strings:
            add_names(pdf, "/Dests", list(self._strings.items()))
        if self._names:
            pdf.Root.Dests = pdf.make_indirect(
                Dictionary({f"/{name.decode('latin-1')}": value for name, value in sorted(self._names.items())})
            )


def _by_page(source: Source) -> list[dict[PageKey, list[_Entry]]]:
    """Return the names in the name tree and those in the dictionary by the pages that they lead to."""
    groups: list[dict[PageKey, list[_Entry]]] = [{}, {}]
    for by_page, entries in zip(groups, _read(source), strict=True):
        for name, value in entries:
            if (page := page_of(source, value)) is not None:
                by_page.setdefault(page.objgen, []).append((name, value))
    return groups


def free_name(name: bytes, taken: Iterable[bytes]) -> bytes:
    """Return the name with the first number that makes it unique: `chapter_2`."""
    known = set(taken)
    charset = "utf-16-be" if name.startswith(b"\xfe\xff") else "ascii"
    number = 2
    while (candidate := name + f"_{number}".encode(charset)) in known:
        number += 1
    return candidate


def add_names(pdf: pikepdf.Pdf, category: str, entries: list[tuple[bytes, pikepdf.Object]]) -> None:
    """Write a name tree into the catalog."""
    if Name.Names not in pdf.Root:
        pdf.Root.Names = pdf.make_indirect(Dictionary())
    pdf.Root.Names[category] = write_names(pdf, entries)


def page_of(source: Source, target: object) -> pikepdf.Object | None:
    """Return the page that a destination leads to, or None if it leads nowhere in the PDF."""
    place = resolve(source, target)
    if place is None or not len(place):
        return None
    page = place[0]
    if isinstance(page, int):
        return source.pages[page] if 0 <= page < len(source.pages) else None
    if isinstance(page, Dictionary) and page.is_indirect and page.objgen in source.page_numbers:
        return page
    return None


def resolve(source: Source, target: object) -> pikepdf.Object | None:
    """Return the array of a destination that is given by an array, a name or a string."""
    if isinstance(target, String | Name):
        target = source.named_destinations.get(name_bytes(target))
    if isinstance(target, Dictionary):
        target = target.get(Name.D)
    return target if isinstance(target, Array) else None


def name_bytes(name: pikepdf.Object) -> bytes:
    """Return a destination's name, of a string or a name object."""
    return bytes(name)[isinstance(name, Name) :]


def holders(source: Source, pages: Iterable[pikepdf.Object]) -> Iterator[Holder]:
    """Yield everything that holds a destination: links and actions of pages, bookmarks, the open action."""
    for page in pages:
        yield from _of_actions(page.get(Name.AA))
        for annotation in annotations(page):
            yield from of_item(annotation)
            yield from _of_actions(annotation.get(Name.AA))
    for item in outline_items(source.root.get(Name.Outlines)):
        yield from of_item(item)
    if Name.OpenAction in source.root:
        opening = source.root.OpenAction
        yield from _of_chain(opening) if isinstance(opening, Dictionary) else [(source.root, Name.OpenAction)]


def of_item(item: pikepdf.Object) -> Iterator[Holder]:
    """Yield what holds a destination in a link annotation or a bookmark."""
    if Name.Dest in item:
        yield item, Name.Dest
    yield from _of_chain(item.get(Name.A))


def annotations(page: pikepdf.Object) -> list[pikepdf.Object]:
    """Return the annotations of a page, without what is not a dictionary."""
    return dictionaries(page.get(Name.Annots))


def pages_of_annotations(source: Source) -> dict[PageKey, int]:
    """Return the pages of each annotation, a bit for each page."""
    found: dict[PageKey, int] = {}
    for number, page in enumerate(source.pages):
        for annotation in annotations(page):
            found[annotation.objgen] = found.get(annotation.objgen, 0) | 1 << number
    return found


def outline_items(outlines: object) -> Iterator[pikepdf.Object]:
    """Yield all bookmarks, parents before children; each once."""
    waiting, visited = [outlines], Visited()
    while waiting and visited.count < MAX_ITEMS:
        item = waiting.pop()
        if not isinstance(item, Dictionary) or not visited.add(item):
            continue
        if item is not outlines:
            yield item
            waiting.append(item.get(Name.Next))
        waiting.append(item.get(Name.First))


def _of_actions(actions: object) -> Iterator[Holder]:
    if isinstance(actions, Dictionary):
        for action in actions.values():
            yield from _of_chain(action)


def _of_chain(action: object) -> Iterator[Holder]:
    steps = (step for each in one_or_more(action) for step in steps_of(each))
    return ((step, Name.D) for step in steps if step.get(Name.S) == Name.GoTo and Name.D in step)


def steps_of(action: object) -> Iterator[pikepdf.Object]:
    """Yield the actions of a chain, in the order in which they run."""
    waiting = [action]
    for _ in range(MAX_ACTIONS):
        if not waiting:
            return
        step = waiting.pop(0)
        if isinstance(step, Dictionary):
            yield step
            waiting = [*one_or_more(step.get(Name.Next)), *waiting]


def _read(source: Source) -> list[list[_Entry]]:
    """Return the names in the name tree and those in the dictionary that PDF 1.1 has."""
    older = dictionary(source.root.get(Name.Dests))
    return [
        read_names(source.names("/Dests")),
        [(key[1:].encode(*RAW), value) for key, value in older.items()],
    ]


def remove_dead_links(part: Part) -> None:
    """Remove the links of a part that lead to pages outside of it."""
    for page in part.pages:
        kept: list[pikepdf.Object] = []
        dead: list[pikepdf.Object] = []
        for item in annotations(page):
            held = of_item(item) if item.get(Name.Subtype) == Name.Link else ()
            targets = [target for holder, key in held if (target := page_of(part.source, holder[key])) is not None]
            leads_out = targets and all(target.objgen not in part.kept for target in targets)
            (dead if leads_out else kept).append(item)
        if dead:
            part.changes.set(page, Name.Annots, Array(kept) if kept else None)
            part.removed_links += dead


def warn_of_removed_links(part: Part) -> None:
    """Add a warning that counts the links that were removed."""
    if count := len(part.removed_links):
        were = "s were" if count > 1 else " was"
        part.source.warn(f"{count} link{were} removed: the pages they lead to are omitted.")
