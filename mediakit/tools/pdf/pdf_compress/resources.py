"""Removes resources that no content stream uses, so that saving drops them."""

from collections.abc import Iterator, Sequence

import pikepdf
from pikepdf import Dictionary, Name, Stream

from mediakit.engines.pdf.objects import dictionary
from mediakit.tools.pdf.pdf_compress.content.fonts import descendant, program_of
from mediakit.tools.pdf.pdf_compress.content.usage import Usage


def remove_unused_resources(objects: Sequence[pikepdf.Object], usage: Usage) -> bool:
    """Remove images, forms and embedded fonts that nothing draws from resource dictionaries.

    Returns:
        Whether any was removed.
    """
    if not usage.readable:
        return False
    removed = False
    for resources in _resources(objects):
        for category, is_unused in ((Name.XObject, _is_unused_xobject), (Name.Font, _is_unused_font)):
            entries = dictionary(resources.get(category))
            for key in [key for key, item in entries.items() if is_unused(item, usage)]:
                del entries[key]
                removed = True
    return removed


def _resources(objects: Sequence[pikepdf.Object]) -> Iterator[pikepdf.Object]:
    """Yield the resource dictionaries of pages, groups of pages, forms and Type 3 fonts."""
    for item in objects:
        if isinstance(item, Stream | Dictionary):
            found = item.get(Name.Resources)
            if isinstance(found, Dictionary):
                yield found


def _is_unused_xobject(item: object, usage: Usage) -> bool:
    return isinstance(item, Stream) and item.is_indirect and not usage.draws(item.objgen)


def _is_unused_font(item: object, usage: Usage) -> bool:
    if not isinstance(item, Dictionary) or not item.is_indirect or item.objgen in usage.shown_fonts:
        return False
    program = program_of(descendant(item))
    return program is not None and program.objgen not in usage.whole_programs
