"""Parses XML and SVG images that are not trusted: no entities, nothing loaded, a bounded depth."""

import io
import re
from collections.abc import Iterator

from lxml import etree

from mediakit.errors import InvalidInput

MAX_DEPTH = 200
"""Levels of nested elements."""

_is_too_deep = etree.XPath(f"boolean({'/*' * (MAX_DEPTH + 1)})")

_FIRST_ELEMENT = re.compile(rb"<\0?[A-Za-z_]")
_SVG_ROOT = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*<(?:\w+:)?svg\b",
    re.DOTALL,
)
_EMBEDDED = re.compile(r"\s*(?:#|data:image/(?:png|jpeg|webp|gif)[;,])", re.IGNORECASE)
"""References that need no other file: elements of the image itself, and raster images in it."""


def parse_xml(content: bytes, part: str) -> etree._Element:
    """Return the root of an XML document.

    Raises:
        InvalidInput: It is not well-formed, is nested deeper than 200 levels, or declares a DTD.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, collect_ids=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidInput(f"file: its part {part} is damaged XML.") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise InvalidInput(f"file: its part {part} declares a DTD, which is not allowed.")
    if _is_too_deep(root):
        raise InvalidInput(f"file: its part {part} is nested deeper than {MAX_DEPTH} levels.")
    return root


def iterate_elements(content: bytes, part: str, tag: str) -> Iterator[etree._Element]:
    """Yield the elements of a name (`{namespace}name`) of a document, however large: each is removed after its turn.

    Raises:
        InvalidInput: It is not well-formed, or declares a DTD.
    """
    start = _FIRST_ELEMENT.search(content)
    if start and b"DOCTYPE" in content[: start.start()].replace(b"\0", b""):
        raise InvalidInput(f"file: its part {part} declares a DTD, which is not allowed.")
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
        raise InvalidInput(f"file: its part {part} is damaged XML.") from error


def is_svg(content: bytes) -> bool:
    """Return whether a file is an SVG image."""
    return _SVG_ROOT.match(content[:4096]) is not None


def clean_svg(content: bytes, warnings: list[str], field: str = "image") -> str:
    """Return an SVG image without references to other files; `warnings` gets a sentence if it had some.

    Raises:
        InvalidInput: The image is damaged, has entities, or is nested too deeply.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidInput(f"{field}: is a damaged SVG image: its XML cannot be read.") from error
    if root.getroottree().docinfo.internalDTD is not None and b"<!ENTITY" in content:
        raise InvalidInput(f"{field}: is an SVG image with entities, which are not allowed.")
    if _is_too_deep(root):
        raise InvalidInput(f"{field}: is an SVG image with more than {MAX_DEPTH} nested elements.")
    found = False
    for element in root.iter(etree.Element):
        for name, value in element.items():
            if etree.QName(name).localname == "href" and not _EMBEDDED.match(value):
                del element.attrib[name]
                found |= etree.QName(element).localname != "a"
    if found:
        warnings.append(f"{field}: refers to other files, which are never opened; they are omitted.")
    return etree.tostring(root, encoding="unicode")


def damaged_svg(field: str = "image") -> InvalidInput:
    """Return the error for an SVG image that cannot be drawn."""
    return InvalidInput(f"{field}: is a damaged SVG image that cannot be drawn.")
