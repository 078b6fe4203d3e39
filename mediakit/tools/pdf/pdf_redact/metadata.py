"""Removes what is found from XMP metadata."""

import re
from collections.abc import Iterator

import pikepdf
from lxml import etree
from pikepdf import Name, Stream

from mediakit.engines.pdf.objects import every_dictionary, stream_bytes
from mediakit.tools.pdf.pdf_redact.texts import Replacer

MAX_BYTES = 10_000_000
"""XMP that is read; larger metadata go as a whole."""

_DATE_OR_ID = re.compile(r"\s*(?:\d{4}(?:-\d\d){0,2}(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?|(?:urn:)?[\w.:]*id:[\w-]+)\s*")
"""Values that programs write, which look like numbers of cards and phones."""


def metadata_streams(pdf: pikepdf.Pdf) -> Iterator[Stream]:
    """Yield the metadata streams of all objects, each once."""
    seen: set[tuple[int, int]] = set()
    for item in every_dictionary(pdf):
        stream = item.get(Name.Metadata)
        if isinstance(stream, Stream) and stream.objgen not in seen:
            seen.add(stream.objgen)
            yield stream


def scrub_metadata(pdf: pikepdf.Pdf, replacer: Replacer) -> bool:
    """Replace what is found in all metadata streams, and return whether one had to be removed."""
    unread = {stream.objgen for stream in metadata_streams(pdf) if not _scrub(stream, replacer)}
    for item in every_dictionary(pdf):
        stream = item.get(Name.Metadata)
        if isinstance(stream, Stream) and stream.objgen in unread:
            del item.Metadata
    return bool(unread)


def _scrub(stream: Stream, replacer: Replacer) -> bool:
    """Replace what is found in one stream; return False if it cannot be read."""
    content = stream_bytes(stream)
    if content is None or len(content) > MAX_BYTES or b"<!ENTITY" in content:
        return False
    try:
        root = _parsed(content)
    except (etree.XMLSyntaxError, ValueError):
        return False
    changed = 0
    for element in list(root.iter()):
        changed += _scrub_element(element, replacer)
    if changed:
        replacer.note("document information", changed)
        head, _, _ = content.partition(b"<x:xmpmeta")
        packet = head if b"<?xpacket" in head else b'<?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        stream.write(packet + etree.tostring(root, encoding="utf-8") + b'\n<?xpacket end="w"?>')
    return True


def _scrub_element(element: "etree._Element", replacer: Replacer) -> int:
    if isinstance(element, etree._Comment | etree._ProcessingInstruction):  # noqa: SLF001  # lxml names its classes so
        if not replacer.find(element.text or ""):
            return 0
        element.text = ""
        return 1
    changed = 0
    for holder, name in ((element, "text"), (element, "tail")):
        text = getattr(holder, name)
        if text and not _DATE_OR_ID.fullmatch(text) and (new := replacer.replaced(text)) is not None:
            setattr(holder, name, new)
            changed += 1
    for name, text in element.attrib.items():
        if not _DATE_OR_ID.fullmatch(str(text)) and (new := replacer.replaced(str(text))) is not None:
            element.attrib[name] = new
            changed += 1
    return changed


def _parsed(content: bytes) -> "etree._Element":
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    return etree.fromstring(content, parser)


def metadata_texts(stream: Stream) -> list[str]:
    """Return the texts of XMP metadata, without markup and namespaces; none if it cannot be decoded."""
    content = stream_bytes(stream) or b""
    try:
        root = _parsed(content)
    except (etree.XMLSyntaxError, ValueError):
        return [content.decode("utf-8", "replace")]
    found: list[str] = []
    for element in root.iter():
        found += [str(text) for text in (element.text, element.tail, *element.attrib.values()) if text]
    return [text for text in found if not _DATE_OR_ID.fullmatch(text)]
