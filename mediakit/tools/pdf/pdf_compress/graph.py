"""The objects that a PDF uses: those to which its trailer leads."""

import re
from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Stream

from mediakit.engines.pdf.source import PageKey

_REFERENCE = re.compile(rb"(\d+) (\d+) R\b")


def used_objects(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    """Return all indirect objects in use, in the order of the references to them."""
    found: dict[PageKey, pikepdf.Object] = {}
    waiting = [pdf.trailer]
    while waiting:
        for key in references(waiting.pop()):
            if key not in found:
                found[key] = item = pdf.get_object(key)
                waiting.append(item)
    return list(found.values())


def references(item: pikepdf.Object) -> Iterator[PageKey]:
    """Yield the keys of the objects to which an object refers itself."""
    if isinstance(item, Stream):
        text = item.stream_dict.unparse(resolved=True)
    elif isinstance(item, Dictionary | Array):
        text = item.unparse(resolved=True)
    else:
        return
    for number, generation in _REFERENCE.findall(text):
        yield int(number), int(generation)
