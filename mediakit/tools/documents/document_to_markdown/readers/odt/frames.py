"""Frames of OpenDocument: images, text boxes, formulas and charts (OpenDocument 1.3, 10.4)."""

import posixpath
from urllib.parse import unquote

from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.engines.xml import parse_xml
from mediakit.tools.documents.document_to_markdown.readers.odt.names import (
    DRAW,
    MATHML,
    OFFICE,
    SVG,
    XLINK,
    Element,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList


def alternative_text(frame: Element) -> str:
    """Return the alternative text of a frame: its description or its title."""
    return " ".join((frame.findtext(f"{SVG}desc") or frame.findtext(f"{SVG}title") or "").split())


def image_element(frame: Element, container: Container, images: ImageList) -> HtmlElement | None:
    """Return the image of a frame: the first one whose file is known. None if there is none."""
    alt = alternative_text(frame)
    for image in frame.iterchildren(f"{DRAW}image"):
        source = _image_source(image, container, images, alt)
        if source:
            element = new_element("img")
            element.set("src", source)
            element.set("alt", alt)
            return element
    return None


def _image_source(image: Element, container: Container, images: ImageList, alt: str) -> str | None:
    address = image.get(f"{XLINK}href") or ""
    if address.lower().startswith(("http:", "https:")):
        return address
    name = posixpath.normpath(unquote(address))
    known = images.known(name)
    if known or name not in container:
        return known
    return images.add(name, container.read(name), alt)


def object_root(frame: Element, container: Container) -> Element | None:
    """Return the root of an embedded object: a formula or a chart. None if the frame has none."""
    embedded = frame.find(f"{DRAW}object")
    if embedded is None:
        return None
    for child in embedded:
        if child.tag in (f"{MATHML}math", f"{OFFICE}document"):
            return child
    name = posixpath.join(posixpath.normpath(unquote(embedded.get(f"{XLINK}href") or ".")), "content.xml")
    return parse_xml(container.read(name), name) if name in container else None


def formula_element(math: Element) -> HtmlElement:
    """Return a formula as an HTML element, without the source of OpenOffice's own formula language."""
    element = new_element("math")
    _copy(math, element)
    if math.get("display") == "block":
        element.set("display", "block")
    return element


def _copy(source: Element, target: HtmlElement) -> None:
    target.text = source.text
    for child in source:
        if not isinstance(child.tag, str) or child.tag == f"{MATHML}annotation":
            continue
        copied = new_element(child.tag.rpartition("}")[2])
        target.append(copied)
        _copy(child, copied)
