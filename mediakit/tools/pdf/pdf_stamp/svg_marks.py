"""SVG images as marks."""

import re
from io import BytesIO

import pikepdf
from lxml import etree

from mediakit.engines.pdf.form_xobjects import page_form
from mediakit.engines.pdf.geometry import seen_size
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_stamp.mark import Mark

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


def svg_mark(pdf: pikepdf.Pdf, content: bytes, warnings: list[str]) -> Mark:
    """Return the mark of an SVG image, which stays vector. Scripts never run, and other files are never opened.

    Raises:
        InvalidInput: The image is damaged.
    """
    import vl_convert

    root = _parsed(content)
    if _remove_references(root):
        warnings.append("image: refers to other files, which are never opened; they are omitted.")
    try:
        drawn = vl_convert.svg_to_pdf(etree.tostring(root, encoding="unicode"))
        source = pikepdf.open(BytesIO(drawn))
    except (ValueError, RuntimeError, pikepdf.PdfError) as error:
        raise InvalidInput("image: is a damaged SVG image that cannot be drawn.") from error
    page = source.pages[0]
    width, height = seen_size(page)
    return Mark(pdf.copy_foreign(page_form(page)), width, height)


def _parsed(content: bytes) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidInput("image: is a damaged SVG image: its XML cannot be read.") from error
    if root.getroottree().docinfo.internalDTD is not None and b"<!ENTITY" in content:
        raise InvalidInput("image: is an SVG image with entities, which are not allowed.")
    if _depth(root) > MAX_DEPTH:
        raise InvalidInput(f"image: is an SVG image with more than {MAX_DEPTH} nested elements.")
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
