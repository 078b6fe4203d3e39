"""Parses XML that is not trusted: no DTD, no entities, nothing loaded, a bounded depth."""

import io
import re
from collections.abc import Iterator

from lxml import etree

from mediakit.errors import InvalidInput

MAX_DEPTH = 200

_is_too_deep = etree.XPath(f"boolean({'/*' * (MAX_DEPTH + 1)})")

_FIRST_ELEMENT = re.compile(rb"<\0?[A-Za-z_]")


def parse_xml(content: bytes, part: str, field: str = "file") -> etree._Element:
    """Return the root of an XML document.

    Args:
        content: The document.
        part: Its name, for errors.
        field: The name of the request's field that holds it, for errors.

    Raises:
        InvalidInput: It is not well-formed, is nested deeper than 200 levels, or declares a DTD.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, collect_ids=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidInput(f"{field}: its part {part} is damaged XML.") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise InvalidInput(f"{field}: its part {part} declares a DTD, which is not allowed.")
    if _is_too_deep(root):
        raise InvalidInput(f"{field}: its part {part} is nested deeper than {MAX_DEPTH} levels.")
    return root


def iterate_elements(content: bytes, part: str, tag: str, field: str = "file") -> Iterator[etree._Element]:
    """Yield the elements of a name of an XML document, however large: an element is removed after its turn.

    Args:
        content: The document.
        part: Its name, for errors.
        tag: The name of the elements, with its namespace in braces.
        field: The name of the request's field that holds it, for errors.

    Raises:
        InvalidInput: It is not well-formed, or declares a DTD.
    """
    start = _FIRST_ELEMENT.search(content)
    if start and b"DOCTYPE" in content[: start.start()].replace(b"\0", b""):
        raise InvalidInput(f"{field}: its part {part} declares a DTD, which is not allowed.")
    events = etree.iterparse(
        io.BytesIO(content),
        tag=tag,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        for _, element in events:
            yield element
            element.clear()
            parent = element.getparent()
            if parent is not None:
                del parent[: parent.index(element)]
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidInput(f"{field}: its part {part} is damaged XML.") from error
