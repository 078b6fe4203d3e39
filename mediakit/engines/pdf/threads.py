"""Article threads: the order in which columns of text are read (ISO 32000-2, 12.4.3)."""

from itertools import pairwise

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.objects import Visited, dictionaries
from mediakit.engines.pdf.part import Part

MAX_BEADS = 10_000
"""Beads of a thread that are read."""


def kept_threads(part: Part) -> list[pikepdf.Object]:
    """Return the threads of a part, without the beads of pages that are omitted."""
    threads = dictionaries(part.source.root.get(Name.Threads))
    return threads if part.whole else [thread for thread in threads if _prune(part, thread)]


def _prune(part: Part, thread: pikepdf.Object) -> bool:
    """Leave only beads of kept pages in a thread, and return whether there are any."""
    beads = _beads(thread)
    kept = [bead for bead in beads if isinstance(page := bead.get(Name.P), Dictionary) and page.objgen in part.kept]
    if kept and len(kept) < len(beads):
        part.changes.set(thread, Name.F, kept[0])
        for bead, following in pairwise([*kept, kept[0]]):  # a thread is a ring
            part.changes.set(bead, Name.N, following)
            part.changes.set(following, Name.V, bead)
    return bool(kept)


def _beads(thread: pikepdf.Object) -> list[pikepdf.Object]:
    beads: list[pikepdf.Object] = []
    bead, visited = thread.get(Name.F), Visited()
    while isinstance(bead, Dictionary) and visited.add(bead) and len(beads) < MAX_BEADS:
        beads.append(bead)
        bead = bead.get(Name.N)
    return beads
