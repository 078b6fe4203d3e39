"""The form and the signatures of a PDF. Whether a signature is valid is not judged."""

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, String

from mediakit.engines.pdf.dates import iso_of
from mediakit.engines.pdf.document import has_xfa, is_dynamic_xfa
from mediakit.engines.pdf.objects import dictionaries, dictionary, items, text_of
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_info.certificates import signer_of

MAX_FIELDS = 20_000
"""Fields that are looked at."""


def read_form(source: Source) -> dict[str, Any]:
    """Return the number of fields, and the kind of an XFA form."""
    xfa = "dynamic" if is_dynamic_xfa(source) else "static" if has_xfa(source) else "none"
    return {"fields": sum(1 for _ in _fields(source)), "xfa": xfa}


def read_signatures(source: Source, content: bytes) -> list[dict[str, Any]]:
    """Return field, signer and time of each signature, and whether it covers the whole file."""
    return [
        {
            "name": name,
            "signer": _text(value.get(Name.Name)) or signer_of(bytes(_contents(value))),
            "signed_at": iso_of(date) if (date := _text(value.get(Name.M))) else None,
            "covers_whole_file": _covers(value, content),
        }
        for name, field in _fields(source)
        if field.get(Name.FT) == Name.Sig and isinstance(value := field.get(Name.V), Dictionary)
    ]


def _fields(source: Source) -> Iterator[tuple[str, pikepdf.Object]]:
    """Yield full name and dictionary of each field that has no fields below it."""
    form = dictionary(source.root.get(Name.AcroForm))
    waiting = [(field, "") for field in reversed(dictionaries(form.get(Name.Fields)))]
    for _ in range(MAX_FIELDS):
        if not waiting:
            return
        field, prefix = waiting.pop()
        name = ".".join(filter(None, (prefix, _text(field.get(Name.T)))))
        kids = [kid for kid in dictionaries(field.get(Name.Kids)) if Name.T in kid]
        if kids:
            waiting += [(kid, name) for kid in reversed(kids)]
        else:
            yield name, field


def _covers(value: pikepdf.Object, content: bytes) -> bool:
    """Return whether the byte ranges leave out nothing but the signature itself."""
    ranges: list[object] = list(items(value.get(Name.ByteRange)))
    if len(ranges) != 4 or not all(isinstance(number, int) for number in ranges):
        return False
    start, length, again, rest = (int(str(number)) for number in ranges)
    gap = content[length:again].strip()
    is_value = gap.startswith(b"<") and gap.endswith(b">") and b">" not in gap[:-1]
    return start == 0 and again > length and again + rest == len(content) and is_value


def _contents(value: pikepdf.Object) -> bytes:
    contents = value.get(Name.Contents)
    return bytes(contents) if isinstance(contents, String) else b""


def _text(value: object) -> str:
    return text_of(value).strip()
