"""Rewrites operators that begin a line and show text (ISO 32000-2, 9.4.3) as the simple ones that they stand for.

MuPDF drops the line break with the text if it removes all of it, and what follows would move.
"""

import re
from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Name, Object, Operator, Stream

from mediakit.engines.pdf.graphics_state import contents_bytes

_LINE_OPERATOR = re.compile(rb"[)>][\0\t\n\f\r ]*['\"]")

Instruction = pikepdf.ContentStreamInstruction


def simplify_line_operators(pdf: pikepdf.Pdf) -> None:
    """Rewrite the operators of lines in all pages and forms."""
    for page in pdf.pages:
        try:
            content = contents_bytes(page)
        except pikepdf.PdfError:
            continue
        if _LINE_OPERATOR.search(content):
            page.obj.Contents = pdf.make_stream(_simplified(page.obj))
    for item in list(pdf.objects):
        if isinstance(item, Stream) and item.get(Name.Subtype) == Name.Form and _has_line_operators(item):
            item.write(_simplified(item))


def _has_line_operators(form: Stream) -> bool:
    try:
        return _LINE_OPERATOR.search(form.read_bytes()) is not None
    except pikepdf.PdfError:
        return False


def _simplified(content: Object) -> bytes:
    parsed = pikepdf.parse_content_stream(content)
    return pikepdf.unparse_content_stream([part for item in parsed for part in _parts(item)])


def _parts(item: Any) -> Iterator[Any]:
    if not isinstance(item, Instruction) or str(item.operator) not in ("'", '"') or not item.operands:
        yield item
        return
    operands = list(item.operands)
    if str(item.operator) == '"' and len(operands) == 3:
        yield Instruction(operands[:1], Operator("Tw"))
        yield Instruction(operands[1:2], Operator("Tc"))
    yield Instruction([], Operator("T*"))
    yield Instruction(operands[-1:], Operator("Tj"))
