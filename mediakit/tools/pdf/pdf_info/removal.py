"""Takes everything of one kind out of a PDF, for files that leave an organization."""

from collections.abc import Callable, Mapping, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.objects import name_of
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_info.action_removal import remove_actions, remove_scripts
from mediakit.tools.pdf.pdf_info.attached_files import remove_attachments
from mediakit.tools.pdf.pdf_info.changes import REMOVABLE, Removable
from mediakit.tools.pdf.pdf_info.layer_removal import remove_layers
from mediakit.tools.pdf.pdf_info.walking import delete, every_dictionary

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


def _remove_annotations(source: Source) -> None:
    _remove_from_pages(source, lambda kind: kind not in KEPT_ANNOTATIONS)


def _remove_links(source: Source) -> None:
    _remove_from_pages(source, lambda kind: kind == "/Link")


def _remove_from_pages(source: Source, is_removed: Callable[[str], bool]) -> None:
    for page in source.pages:
        found = annotations(page)
        kept = [item for item in found if not is_removed(name_of(item.get(Name.Subtype)))]
        gone = [item for item in found if is_removed(name_of(item.get(Name.Subtype)))]
        if not gone:
            continue
        lost = {item.objgen for item in gone if item.is_indirect}
        for item in kept:
            popup = item.get(Name.Popup)
            if isinstance(popup, Dictionary) and popup.objgen in lost:
                del item.Popup
        page.Annots = Array(kept)
        for item in gone:
            _empty(item)


def _empty(annotation: pikepdf.Object) -> None:
    """Delete the content of an annotation, so that tags which still refer to it do not keep it."""
    for key in list(annotation.keys()):
        if key not in ("/Type", "/Subtype", "/Rect"):
            del annotation[key]


def _remove_thumbnails(source: Source) -> None:
    for page in source.pages:
        delete(page, "/Thumb")


_REMOVALS: Mapping[Removable, Callable[[Source], None]] = {
    "metadata": _remove_metadata,
    "javascript": remove_scripts,
    "attachments": remove_attachments,
    "annotations": _remove_annotations,
    "links": _remove_links,
    "thumbnails": _remove_thumbnails,
    "actions": remove_actions,
    "layers": remove_layers,
}
