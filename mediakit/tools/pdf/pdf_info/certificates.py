"""Reads the name of the signer in a CMS signature (RFC 5652). Nothing is verified."""

from collections.abc import Iterator
from dataclasses import dataclass

COMMON_NAME = bytes.fromhex("550403")
"""OID 2.5.4.3, encoded."""

SEQUENCE, SET, INTEGER, OBJECT_ID, CONTEXT_0 = 0x30, 0x31, 0x02, 0x06, 0xA0

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
    try:
        return _signer(signature)
    except (IndexError, ValueError, StopIteration):
        return None


def _signer(signature: bytes) -> str | None:
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
