"""Visits every dictionary of a PDF."""

from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Stream

MAX_DEPTH = 100
"""Nesting of direct objects that is followed."""


def every_dictionary(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """Yield every dictionary and stream of a PDF, those inside others after them."""
    for item in pdf.objects:
        yield from _inside(item, 0)


def _inside(item: object, depth: int) -> Iterator[pikepdf.Object]:
    if isinstance(item, Dictionary | Stream):
        yield item
        values = list(item.values())
    elif isinstance(item, Array):
        values = list(item)
    else:
        return
    if depth < MAX_DEPTH:
        for value in values:
            if isinstance(value, Dictionary | Array) and not value.is_indirect:
                yield from _inside(value, depth + 1)


def delete(holder: pikepdf.Object, *keys: str) -> None:
    """Delete keys that a dictionary has."""
    for key in keys:
        if key in holder:
            del holder[key]
