"""The form and the signatures of a PDF. Whether a signature is valid is not judged."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, String

from mediakit.engines.pdf.document import has_xfa, is_dynamic_xfa
from mediakit.engines.pdf.objects import dictionaries, fields_of, iso_of, items, text_of
from mediakit.engines.pdf.opening import Source

COMMON_NAME = bytes.fromhex("550403")
"""OID 2.5.4.3, encoded."""

INTEGER, OBJECT_ID, CONTEXT_0 = 0x02, 0x06, 0xA0

WIDE_TEXT = 0x1E
"""BMPString; other strings are read as UTF-8."""

MAX_ITEMS = 1000


@dataclass(frozen=True)
class _Item:
    tag: int
    content: bytes

    def __iter__(self) -> Iterator["_Item"]:
        return _items(self.content)


def signer_of(signature: bytes) -> str | None:
    """Return the common name in the certificate of the signer, or None if it cannot be read."""
    with suppress(IndexError, ValueError, StopIteration):
        _, wrapped = next(_items(signature))
        *fields, infos = next(iter(wrapped))
        certificates = next((list(field) for field in fields if field.tag == CONTEXT_0), [])
        _, identifier, *_ = next(iter(infos))
        serial = next((item.content for item in identifier if item.tag == INTEGER), None)
        for certificate in certificates:
            body = [item for item in next(iter(certificate)) if item.tag != CONTEXT_0]
            if serial is None or body[0].content == serial:
                return _common_name(body[4])  # serial, algorithm, issuer, validity, subject
    return None


def _common_name(subject: _Item) -> str | None:
    for relative in subject:
        for attribute in relative:
            kind, value = list(attribute)[:2]
            if kind.tag == OBJECT_ID and kind.content == COMMON_NAME:
                return value.content.decode("utf-16-be" if value.tag == WIDE_TEXT else "utf-8", "replace")
    return None


def _items(data: bytes) -> Iterator[_Item]:
    """Yield the items of DER data, or of BER data with definite lengths."""
    at = 0
    for _ in range(MAX_ITEMS):
        if at + 2 > len(data):
            return
        tag, length = data[at], data[at + 1]
        at += 2
        if length == 0x80:  # indefinite: up to the end, and its two zero bytes
            yield _Item(tag, data[at:])
            return
        if length > 0x80:
            count = length & 0x7F
            length = int.from_bytes(data[at : at + count], "big")
            at += count
        yield _Item(tag, data[at : at + length])
        at += length


def read_form(source: Source) -> dict[str, Any]:
    """Return the number of fields, and the kind of an XFA form."""
    xfa = "dynamic" if is_dynamic_xfa(source) else "static" if has_xfa(source) else "none"
    return {"fields": sum(1 for _ in _fields(source)), "xfa": xfa}


def read_signatures(source: Source, content: bytes) -> list[dict[str, Any]]:
    """Return field, signer and time of each signature, and whether it covers the whole file."""
    found = []
    for name, field in _fields(source):
        value = field.get(Name.V)
        if field.get(Name.FT) != Name.Sig or not isinstance(value, Dictionary):
            continue
        held = value.get(Name.Contents)
        date = text_of(value.get(Name.M)).strip()
        found.append(
            {
                "name": name,
                "signer": text_of(value.get(Name.Name)).strip()
                or signer_of(bytes(held) if isinstance(held, String) else b""),
                "signed_at": iso_of(date) if date else None,
                "covers_whole_file": _covers(value, content),
            }
        )
    return found


def _fields(source: Source) -> Iterator[tuple[str, pikepdf.Object]]:
    """Yield full name and dictionary of each field that has no fields below it."""
    for name, field, is_widget in fields_of(source.root.get(Name.AcroForm)):
        if not is_widget and not any(Name.T in kid for kid in dictionaries(field.get(Name.Kids))):
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
