"""Fonts and images that the pages use, also in forms, patterns and appearances."""

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, Stream

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.objects import Visited, dictionary, items, name_of
from mediakit.engines.pdf.source import Source

MAX_OBJECTS = 200_000
"""Resources that are looked at."""

SUBSET_TAG_LENGTH = 7
"""Six capital letters and a plus sign (ISO 32000-2, 9.9.2)."""

FONT_FILES = (Name.FontFile, Name.FontFile2, Name.FontFile3)


class Resources:
    """What the pages use."""

    def __init__(self, source: Source) -> None:
        self._fonts: dict[tuple[str, str, bool, bool], None] = {}
        self._visited = Visited()
        self.images = 0
        """Number of images, each once."""
        waiting = list(_roots(source))
        while waiting and self._visited.count < MAX_OBJECTS:
            waiting += self._read(waiting.pop())

    @property
    def fonts(self) -> list[dict[str, Any]]:
        """Name, type, and whether it is embedded and a subset, of each font."""
        found = sorted(self._fonts)
        return [dict(zip(("name", "type", "embedded", "subset"), font, strict=True)) for font in found]

    def _read(self, resources: object) -> Iterator[object]:
        """Note the fonts and images of a dictionary of resources, and yield the dictionaries below it."""
        if not isinstance(resources, Dictionary) or not self._visited.add(resources):
            return
        for font in dictionary(resources.get(Name.Font)).values():
            if isinstance(font, Dictionary) and self._visited.add(font):
                self._fonts[_font(font)] = None
                yield font.get(Name.Resources)  # of Type 3
        for item in dictionary(resources.get(Name.XObject)).values():
            if isinstance(item, Stream) and self._visited.add(item):
                self.images += item.get(Name.Subtype) == Name.Image
                yield item.get(Name.Resources)
        for item in dictionary(resources.get(Name.Pattern)).values():
            if isinstance(item, Stream) and self._visited.add(item):
                yield item.get(Name.Resources)


def _roots(source: Source) -> Iterator[object]:
    for page in source.pdf.pages:
        yield page.obj.get(Name.Resources)
        for annotation in annotations(page.obj):
            for look in dictionary(annotation.get(Name.AP)).values():
                states = [look] if isinstance(look, Stream) else list(dictionary(look).values())
                yield from (state.get(Name.Resources) for state in states if isinstance(state, Stream))


def _font(font: pikepdf.Object) -> tuple[str, str, bool, bool]:
    kind, name = name_of(font.get(Name.Subtype))[1:], name_of(font.get(Name.BaseFont))[1:]
    descendants = items(font.get(Name.DescendantFonts))
    holder = descendants[0] if descendants and isinstance(descendants[0], Dictionary) else font
    if holder is not font:
        kind = name_of(holder.get(Name.Subtype))[1:] or kind
    descriptor = dictionary(holder.get(Name.FontDescriptor))
    embedded = kind == "Type3" or any(key in descriptor for key in FONT_FILES)
    subset = name[6:7] == "+" and name[:6].isalpha() and name[:6].isupper()
    return name[SUBSET_TAG_LENGTH:] if subset else name or "unnamed", kind, embedded, subset
