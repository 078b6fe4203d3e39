"""SVG images from other people: their XML is checked, and references to other files are removed."""

import re

from lxml import etree

from mediakit.errors import InvalidInput

MAX_DEPTH = 200
"""Levels of nested elements."""

_ROOT = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*<(?:\w+:)?svg\b",
    re.DOTALL,
)
_EMBEDDED = re.compile(r"\s*(?:#|data:image/(?:png|jpeg|webp|gif)[;,])", re.IGNORECASE)
"""References that need no other file: elements of the image itself, and raster images in it."""


def is_svg(content: bytes) -> bool:
    """Return whether a file is an SVG image."""
    return _ROOT.match(content[:4096]) is not None


def clean_svg(content: bytes, warnings: list[str], field: str = "image") -> str:
    """Return an SVG image without references to other files.

    Args:
        content: The image.
        warnings: Gets a sentence if a reference was removed.
        field: Name of the request's field, for errors.

    Raises:
        InvalidInput: The image is damaged, has entities, or is nested too deeply.
    """
    root = _parsed(content, field)
    if _remove_references(root):
        warnings.append(f"{field}: refers to other files, which are never opened; they are omitted.")
    return etree.tostring(root, encoding="unicode")


def damaged_svg(field: str = "image") -> InvalidInput:
    """Return the error for an SVG image that cannot be drawn."""
    return InvalidInput(f"{field}: is a damaged SVG image that cannot be drawn.")


def _parsed(content: bytes, field: str) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidInput(f"{field}: is a damaged SVG image: its XML cannot be read.") from error
    if root.getroottree().docinfo.internalDTD is not None and b"<!ENTITY" in content:
        raise InvalidInput(f"{field}: is an SVG image with entities, which are not allowed.")
    if _depth(root) > MAX_DEPTH:
        raise InvalidInput(f"{field}: is an SVG image with more than {MAX_DEPTH} nested elements.")
    return root


def _depth(root: etree._Element) -> int:
    deepest = depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest


def _remove_references(root: etree._Element) -> bool:
    """Remove references to other files, and return whether there were any that draw something."""
    found = False
    for element in root.iter(etree.Element):
        for name, value in element.items():
            if etree.QName(name).localname == "href" and not _EMBEDDED.match(value):
                del element.attrib[name]
                found |= etree.QName(element).localname != "a"
    return found
