"""Removes links to pages that are omitted."""

import pikepdf
from pikepdf import Array, Name

from mediakit.engines.pdf.destinations import annotations, of_item, page_of
from mediakit.engines.pdf.part import Part


def remove_dead_links(part: Part) -> None:
    """Remove the links of a part that lead to pages outside of it."""
    for page in part.pages:
        found = annotations(page)
        dead = [item for item in found if _is_dead(part, item)]
        if dead:
            gone = {id(item) for item in dead}
            kept = [item for item in found if id(item) not in gone]
            part.changes.set(page, Name.Annots, Array(kept) if kept else None)
            part.removed_links += dead


def warn_of_removed_links(part: Part) -> None:
    """Add a warning that counts the links that were removed."""
    if count := len(part.removed_links):
        part.source.warn(
            f"{count} link{'s were' if count > 1 else ' was'} removed: the pages they lead to are omitted."
        )


def _is_dead(part: Part, annotation: pikepdf.Object) -> bool:
    if annotation.get(Name.Subtype) != Name.Link:
        return False
    pages = [page_of(part.source, holder[key]) for holder, key in of_item(annotation)]
    found = [page for page in pages if page is not None]
    return bool(found) and all(page.objgen not in part.kept for page in found)
