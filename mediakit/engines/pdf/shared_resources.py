"""Resources that pages share: a part keeps only those that its pages use.

Some programs write one dictionary with the images and fonts of all pages, and every page refers to it, or has a copy.
"""

from collections import Counter
from contextlib import suppress

import pikepdf
from pikepdf import Dictionary, Name, Stream

from mediakit.engines.pdf.objects import dictionary
from mediakit.engines.pdf.part import Part
from mediakit.engines.pdf.source import PageKey, Source

MAX_LEVELS = 50
"""Levels of the page tree from which a page inherits."""


def remove_unused_resources(pdf: pikepdf.Pdf, part: Part) -> None:
    """Remove the resources that the pages of a part share with others and do not use."""
    sharing = part.source.read_once(_sharing_pages)
    for at, index in enumerate(part.indices, part.first):
        if index in sharing:
            with suppress(pikepdf.PdfError):  # the content is damaged: everything is kept
                pdf.pages[at].remove_unreferenced_resources()


def _sharing_pages(source: Source) -> frozenset[int]:
    """Return the indices of the pages that share a dictionary of resources, an image or a form with another page."""
    keys = [_resource_keys(page) for page in source.pages]
    counted = Counter(key for found in keys for key in found)
    return frozenset(index for index, found in enumerate(keys) if any(counted[key] > 1 for key in found))


def _resource_keys(page: pikepdf.Object) -> set[PageKey]:
    """Return what identifies the page's dictionaries of resources, own or inherited, and its images and forms."""
    holder = page
    for _ in range(MAX_LEVELS):
        resources, parent = holder.get(Name.Resources), holder.get(Name.Parent)
        if isinstance(resources, Dictionary):
            drawn = dictionary(resources.get(Name.XObject)).values()
            found = [resources, *(resources.get(key) for key in (Name.XObject, Name.Font)), *drawn]
            keys = {item.objgen for item in found if isinstance(item, Dictionary | Stream) and item.is_indirect}
            return keys if holder is page else keys | {holder.objgen}
        if not isinstance(parent, Dictionary):
            break
        holder = parent
    return set()
