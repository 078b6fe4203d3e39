"""Adds content below or above the content of pages, whose own streams and resources stay as they are."""

from typing import Literal

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.graphics_state import content_streams, unbalanced
from mediakit.engines.pdf.objects import dictionary


class PageContent:
    """Adds content to pages of one PDF; equal content is stored once."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._streams: dict[bytes, pikepdf.Object] = {}

    def add_under(self, page: pikepdf.Page, content: bytes) -> None:
        """Draw content below that of a page."""
        page.obj.Contents = Array([self._stream(content), *content_streams(page.obj)])

    def add_over(self, page: pikepdf.Page, content: bytes) -> None:
        """Draw content above that of a page, in the page's default graphics state."""
        missing, left_open = unbalanced(page)
        before = self._stream(b"q " * (missing + 1))
        after = self._stream(b"\n" + b"Q " * (left_open + 1) + content)  # the content can end with a comment
        page.obj.Contents = Array([before, *content_streams(page.obj), after])

    def _stream(self, content: bytes) -> pikepdf.Object:
        if content not in self._streams:
            self._streams[content] = self._pdf.make_stream(content)
        return self._streams[content]


def add_resource(page: pikepdf.Page, kind: Literal["/XObject", "/ExtGState"], item: pikepdf.Object, prefix: str) -> str:
    """Add a resource to a page alone, also where several pages share their resources, and return its name.

    Args:
        page: The page.
        kind: Category of the resource.
        item: The resource.
        prefix: Beginning of its name, which gets a number if it is taken.
    """
    resources = dictionary(page.obj.get(Name.Resources))
    known = dictionary(resources.get(kind))
    name, number = f"/{prefix}", 1
    while name in known and known[name].objgen != item.objgen:
        number += 1
        name = f"/{prefix}{number}"
    page.obj.Resources = Dictionary({**dict(resources.items()), kind: Dictionary({**dict(known.items()), name: item})})
    return name
