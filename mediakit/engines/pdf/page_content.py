"""Adds content below or above that of pages, and makes forms of pages.

The streams and resources of a page stay as they are. Unbalanced `q` and `Q` operators in them do not reach what is
added.
"""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name

from mediakit.engines.pdf.geometry import rounded, seen_matrix, seen_size, visible_box
from mediakit.engines.pdf.objects import dictionary, dictionary_of, one_or_more

_TOKEN = re.compile(
    rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\))*\)"  # text, in which parentheses nest
    rb"|%[^\r\n]*"
    rb"|[qQ](?![^\s\[(</%{])",
    re.DOTALL,
)
"""The operators, and what can hold their letters. Each alternative begins with a character, which makes it fast."""

_BEFORE_OPERATOR = b"\0\t\n\f\r ])>}"

_INLINE_IMAGE = re.compile(rb"\sID\s")


def unbalanced(page: pikepdf.Page) -> tuple[int, int]:
    """Return how many q are missing before the content of a page and how many Q after it."""
    try:
        content = contents_bytes(page)
        if b"q" not in content and b"Q" not in content:
            return 0, 0
        if _INLINE_IMAGE.search(content):
            operators = [str(step.operator).encode() for step in pikepdf.parse_content_stream(page, "q Q")]
        else:
            operators = [
                match[0]
                for match in _TOKEN.finditer(content)
                if match[0] in (b"q", b"Q") and (not match.start() or content[match.start() - 1] in _BEFORE_OPERATOR)
            ]
    except pikepdf.PdfError:  # readers draw what they can of such a page
        return 0, 0
    depths = list(accumulate((1 if operator == b"q" else -1 for operator in operators), initial=0))
    return -min(depths), depths[-1] - min(depths)


def contents_bytes(page: pikepdf.Page) -> bytes:
    """Return the decoded content of a page; its streams are joined by line breaks.

    Raises:
        pikepdf.PdfError: A stream cannot be decoded.
    """
    return b"\n".join(stream.read_bytes() for stream in content_streams(page.obj))


def content_streams(page: pikepdf.Object) -> list[pikepdf.Object]:
    """Return the content streams of a page, in order."""
    return [part for part in one_or_more(page.get(Name.Contents)) if isinstance(part, pikepdf.Stream)]


def make_form(
    pdf: pikepdf.Pdf,
    content: bytes,
    box: Sequence[float],
    resources: pikepdf.Object | None = None,
    matrix: Matrix | None = None,
) -> pikepdf.Object:
    """Return a new form XObject.

    Args:
        pdf: The PDF that will own the form.
        content: Operators.
        box: Left, bottom, right and top of what is visible, before the matrix.
        resources: Fonts, images and what else the operators name.
        matrix: Maps the form to the space in which it is placed.
    """
    form = pdf.make_stream(content)
    form.Type, form.Subtype = Name.XObject, Name.Form
    form.BBox = Array(rounded(box))
    form.Resources = Dictionary() if resources is None else resources
    if matrix is not None:
        form.Matrix = Array(rounded(matrix.shorthand))
    return form


def page_form(page: pikepdf.Page) -> pikepdf.Object:
    """Return a page as it is seen as a form XObject of the page's PDF; its origin is the bottom left."""
    form = page.as_form_xobject(handle_transformations=False)
    upright = Matrix(1, 0, 0, -1, 0, seen_size(page)[1])
    form.BBox = Array(rounded(visible_box(page)))
    form.Matrix = Array(rounded((seen_matrix(page).inverse() @ upright).shorthand))
    return form


def make_group(form: pikepdf.Object) -> None:
    """Let opacity apply to a form as a whole, not to each part of it."""
    if Name.Group not in form:
        form.Group = Dictionary(Type=Name.Group, S=Name.Transparency)


def operands(matrix: Matrix) -> str:
    """Return a matrix as the operands of the operator `cm`."""
    return " ".join(f"{number:.6f}".rstrip("0").rstrip(".") for number in matrix.shorthand)


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


def add_resource(
    page: pikepdf.Page, kind: Literal["/XObject", "/ExtGState", "/Properties"], item: pikepdf.Object, prefix: str
) -> str:
    """Add a resource to a page alone, also where several pages share their resources, and return its name.

    The name is the prefix, with a number if it is taken.
    """
    resources = page.resources
    known = dictionary(resources.get(kind))
    name, number = f"/{prefix}", 1
    while name in known:
        own: object = known[name]
        if isinstance(own, pikepdf.Object) and own.is_indirect and own.objgen == item.objgen:
            break  # direct ones have no number, so they are never the same
        number += 1
        name = f"/{prefix}{number}"
    known = dictionary_of({**dict(known.items()), name: item})
    page.obj.Resources = dictionary_of({**dict(resources.items()), kind: known})
    return name
